// Routes of search: posts, people, suggestions, and trending words.
import type { FastifyInstance } from 'fastify'
import { listTrending, searchPeople, searchPosts, suggestSearch } from '#contract/search/search.ts'
import type { Deps } from '#server/deps.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { findMatchingPeople } from './find-people.ts'
import { findPosts } from './find-posts.ts'
import { personCursor } from './person-cursor.ts'
import { countSearch, createTrending } from './trending.ts'

const PEOPLE = 20
const TRENDING = 10
const SUGGESTED_WORDS = 6
const SUGGESTED_PEOPLE = 4

export function searchRoutes(app: FastifyInstance, deps: Deps): void {
  const trending = createTrending(deps)
  const search = { rateLimit: perPerson(deps.settings.limits.search) }
  const typing = { rateLimit: perPerson(deps.settings.limits.suggestions) }

  memberRoute(
    app,
    searchPosts,
    async ({ viewer, query, request }) => {
      const { cursor, ...criteria } = query
      const { posts, next } = await findPosts(
        deps,
        viewer,
        { ...criteria, after: timeCursor.read(cursor) },
        request,
      )
      if (cursor === undefined) await countSearch(deps, viewer.id, query.q, posts)
      return { posts, next }
    },
    search,
  )

  memberRoute(
    app,
    searchPeople,
    async ({ viewer, query, request }) => {
      const page = { q: query.q, after: personCursor.read(query.cursor), limit: PEOPLE }
      const { people, next } = await findMatchingPeople(deps, viewer.id, page, request)
      return { people, next: next ? personCursor.write(next) : null }
    },
    search,
  )

  memberRoute(
    app,
    suggestSearch,
    async ({ viewer, query, request }) => {
      const words = await trending.startingWith(query.q)
      const page = { q: query.q, limit: SUGGESTED_PEOPLE, namesOnly: true }
      const { people } = await findMatchingPeople(deps, viewer.id, page, request)
      return { words: words.slice(0, SUGGESTED_WORDS).map((it) => it.written), people }
    },
    typing,
  )

  memberRoute(
    app,
    listTrending,
    async () => ({ words: (await trending.words()).slice(0, TRENDING).map((it) => it.written) }),
    typing,
  )
}
