// Feeds: what home shows, and how much newer there is.
import type { FastifyInstance } from 'fastify'
import { countNewer, listFeed, NEWER_CAP } from '#contract/feed.ts'
import type { Deps } from '#server/deps.ts'
import { cursorAfter, readCursor } from '#server/http/post-cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { countFeedPosts, listFeedPosts } from '#server/store/feed.ts'
import { viewPosts } from '#server/views/post-view.ts'

const PAGE = 20

export function feedRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps
  memberRoute(app, listFeed, async ({ viewer, params, query }) => {
    const now = clock()
    const page = { after: readCursor(query.cursor), limit: PAGE + 1 }
    const rows = await listFeedPosts(db, params.kind, viewer.id, now, page)
    const shown = rows.slice(0, PAGE)
    const [first] = shown
    const last = rows.length > PAGE ? shown.at(-1) : undefined
    return {
      posts: await viewPosts(deps, viewer, shown, now),
      next: last ? cursorAfter(last) : null,
      head: first ? cursorAfter(first) : null,
    }
  })

  memberRoute(app, countNewer, async ({ viewer, params, query }) => {
    const page = { before: readCursor(query.than, 'than'), limit: NEWER_CAP }
    return { count: await countFeedPosts(db, params.kind, viewer.id, clock(), page) }
  })
}
