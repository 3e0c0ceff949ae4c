// Until when a cached response may be shown without asking the server again.
import * as v from 'valibot'

/** The fields of a post on which the end of its access depends. A post that does not fit is not shown. */
const post = v.looseObject({
  id: v.string(),
  type: v.number(),
  author: v.looseObject({ id: v.string() }),
  access: v.looseObject({ is: v.string(), until: v.optional(v.string()) }),
})
type Post = v.InferOutput<typeof post>

/** How long content of a plan or a purchase is shown without a confirmation by the server, ms: access may have ended. */
export const UNCONFIRMED_MS = 3 * 24 * 3600 * 1000

/** When a post read at a time is not to be shown any more; `undefined` where no right is concerned. */
function endOf({ access, type, author }: Post, viewerId: string, at: number): number | undefined {
  if (access.is !== 'full' || type === 1 || author.id === viewerId) return undefined
  const said = access.until === undefined ? Number.NaN : Date.parse(access.until)
  return Number.isNaN(said) ? at + UNCONFIRMED_MS : Math.min(said, at + UNCONFIRMED_MS)
}

/** Whether something of others' is in it that a plan or a purchase opens. */
export function hasGatedContent(data: unknown, viewerId: string): boolean {
  return accessEndOf(data, viewerId, 0) !== undefined
}

/** When the first post of what was read at a time is not to be shown any more; `undefined` where no right is concerned. */
export function accessEndOf(data: unknown, viewerId: string, at: number): number | undefined {
  const ends = postsIn(data).flatMap((it) => endOf(it, viewerId, at) ?? [])
  return ends.length > 0 ? Math.min(...ends) : undefined
}

/** What is left of something that was read: `data` is `undefined` where it was a post that is over. */
export interface Unexpired {
  data: unknown
  /** The posts that are over. */
  over: string[]
}

/**
 * What may still be shown: without the posts whose end has come.
 * @param at when it was read
 * @param now `Infinity`: whatever a right is concerned with is over
 */
export function withoutExpired(data: unknown, viewerId: string, at: number, now: number): Unexpired {
  const isOver = (it: Post) => (endOf(it, viewerId, at) ?? Number.NaN) <= now
  const over = postsIn(data)
    .filter(isOver)
    .map((it) => it.id)
  const clean = (it: unknown): unknown => {
    if (typeof it !== 'object' || it === null) return it
    if ('pages' in it && Array.isArray(it.pages)) return { ...it, pages: it.pages.map(clean) }
    if ('posts' in it && Array.isArray(it.posts))
      return { ...it, posts: (it.posts as unknown[]).filter((one) => !postsIn(one).some(isOver)) }
    return postsIn(it).some(isOver) ? undefined : it
  }
  return { data: over.length > 0 ? clean(data) : data, over }
}

/** The posts of a reply or of a list's pages. */
function postsIn(data: unknown): Post[] {
  if (typeof data !== 'object' || data === null) return []
  if ('pages' in data && Array.isArray(data.pages)) return data.pages.flatMap(postsIn)
  if ('posts' in data && Array.isArray(data.posts)) return data.posts.flatMap(postsIn)
  return v.is(post, data) ? [data] : []
}
