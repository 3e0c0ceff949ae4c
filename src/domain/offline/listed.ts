// Finds posts and people inside the replies of lists.
import * as v from 'valibot'
import { listComments, listReplies } from '#contract/posts/comments.ts'
import { listFeed } from '#contract/posts/feed.ts'
import { listFollows } from '#contract/people/follows.ts'
import { listNotifications } from '#contract/notifications/notifications.ts'
import {
  listedPerson,
  type PersonView,
  personView,
  type RelationView,
  suggestPeople,
} from '#contract/people/people.ts'
import { getPost, listPosts, postView, type PostView } from '#contract/posts/posts.ts'
import { searchPeople, searchPosts, suggestSearch } from '#contract/search/search.ts'

/** A person of a list; without `bio` and `relation` where only the name was listed. */
export interface ListedPerson extends PersonView {
  readonly bio?: string
  readonly relation?: RelationView | null
}

/** A reply, and when it was read, ms since 1970. */
export interface Reading {
  readonly value: unknown
  readonly at: number
}

/** Endpoints whose replies contain posts or people as the viewer sees them; not the blocked people. */
export const listing: ReadonlySet<string> = new Set(
  [
    getPost,
    listPosts,
    listFeed,
    searchPosts,
    searchPeople,
    suggestPeople,
    suggestSearch,
    listFollows,
    listNotifications,
    listComments,
    listReplies,
  ].map((it) => it.name),
)

/** Every object inside a reply, including itself. */
function* objectsIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return
  yield value
  for (const part of Object.values(value)) yield* objectsIn(part)
}

/** The posts of a reply for which a cheap test is true. */
function* postsIn(
  value: unknown,
  isMatch: (it: { id: unknown; author: unknown }) => boolean,
): Generator<PostView> {
  for (const it of objectsIn(value))
    if ('access' in it && 'author' in it && 'id' in it && isMatch(it) && v.is(postView, it)) yield it
}

const idOf = (it: unknown): unknown =>
  typeof it === 'object' && it !== null && 'id' in it ? it.id : undefined

/** The latest copy of a post in readings, which are ordered from the latest. */
export function postAmong(
  readings: readonly Reading[],
  id: string,
): { post: PostView; at: number } | undefined {
  for (const { value, at } of readings)
    for (const post of postsIn(value, (it) => it.id === id)) return { post, at }
  return undefined
}

/** A person in readings: the entry with most fields, the latest of those. */
export function personAmong(readings: readonly Reading[], id: string): ListedPerson | undefined {
  let named: PersonView | undefined
  for (const { value } of readings)
    for (const it of objectsIn(value)) {
      if (!('id' in it) || it.id !== id || !('avatar_url' in it)) continue
      const listed = v.safeParse(listedPerson, it)
      if (listed.success) return listed.output.relation?.blocked ? undefined : listed.output
      const person = v.safeParse(personView, it)
      if (person.success) named ??= person.output
    }
  return named
}

/** A person's posts in readings, each once, newest first. */
export function postsByAmong(readings: readonly Reading[], authorId: string): PostView[] {
  const byId = new Map<string, PostView>()
  for (const { value } of readings)
    for (const post of postsIn(value, (it) => idOf(it.author) === authorId))
      if (post.released_at !== null && !byId.has(post.id)) byId.set(post.id, post)
  return [...byId.values()].toSorted((a, b) => (b.released_at ?? '').localeCompare(a.released_at ?? ''))
}
