// Until when a cached response may be shown without a new request to the server.
import * as v from 'valibot'

/** The fields of a post on which the end of its access depends. A post that does not fit is not shown. */
const post = v.looseObject({
  id: v.string(),
  type: v.number(),
  author: v.looseObject({ id: v.string() }),
  access: v.looseObject({ is: v.string(), until: v.optional(v.string()) }),
})
type Post = v.InferOutput<typeof post>

/** How long content of a plan or a purchase is shown without a confirmation by the server, ms. Access may have ended. */
export const UNCONFIRMED_MS = 3 * 24 * 3600 * 1000

/**
 * When the access to a post ends; `undefined` for a post that is not gated.
 * @param at when the post was read, ms since 1970
 */
function endOf({ access, type, author }: Post, viewerId: string, at: number): number | undefined {
  if (access.is !== 'full' || type === 1 || author.id === viewerId) return undefined
  const until = access.until === undefined ? Number.NaN : Date.parse(access.until)
  return Number.isNaN(until) ? at + UNCONFIRMED_MS : Math.min(until, at + UNCONFIRMED_MS)
}

/** Whether a response contains a post of another person that a plan or a purchase unlocks. */
export function hasGatedContent(data: unknown, viewerId: string): boolean {
  return accessEndOf(data, viewerId, 0) !== undefined
}

/** When the first access to a post of a response ends; `undefined` where no post is gated. */
export function accessEndOf(data: unknown, viewerId: string, at: number): number | undefined {
  const ends = postsIn(data).flatMap((it) => endOf(it, viewerId, at) ?? [])
  return ends.length > 0 ? Math.min(...ends) : undefined
}

/** A response without its expired posts; `data` is `undefined` where it was such a post itself. */
export interface Unexpired {
  data: unknown
  /** Ids of the expired posts. */
  over: string[]
}

/**
 * Removes the posts whose access has ended.
 * @param at when the response was read, ms since 1970
 * @param now `Infinity` removes every gated post
 */
export function withoutExpired(data: unknown, viewerId: string, at: number, now: number): Unexpired {
  const isExpired = (it: Post) => (endOf(it, viewerId, at) ?? Number.NaN) <= now
  const expired = postsIn(data)
    .filter(isExpired)
    .map((it) => it.id)
  const clean = (it: unknown): unknown => {
    if (typeof it !== 'object' || it === null) return it
    if ('pages' in it && Array.isArray(it.pages)) return { ...it, pages: it.pages.map(clean) }
    if ('posts' in it && Array.isArray(it.posts))
      return { ...it, posts: (it.posts as unknown[]).filter((one) => !postsIn(one).some(isExpired)) }
    return postsIn(it).some(isExpired) ? undefined : it
  }
  return { data: expired.length > 0 ? clean(data) : data, over: expired }
}

/** The posts of a reply or of a list's pages. */
function postsIn(data: unknown): Post[] {
  if (typeof data !== 'object' || data === null) return []
  if ('pages' in data && Array.isArray(data.pages)) return data.pages.flatMap(postsIn)
  if ('posts' in data && Array.isArray(data.posts)) return data.posts.flatMap(postsIn)
  return v.is(post, data) ? [data] : []
}
