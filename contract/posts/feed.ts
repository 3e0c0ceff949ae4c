// The feeds of home, their pages, and the number of newer posts (section 2).
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { feedKinds } from './feed-kinds.ts'
import { postView } from './posts.ts'

export const feedKind = v.picklist(feedKinds)

/** No more than this many newer posts are counted. */
export const NEWER_CAP = 20

const place = v.pipe(v.string(), v.maxLength(200, 'too_long'))

/**
 * Released posts of a feed, newest first, without authors who are blocked in either direction or muted.
 * `cursor` is the previous page's `next`. A page may have fewer posts than its limit, or none, and still have a `next`.
 */
export const listFeed = endpoint({
  name: 'listFeed',
  method: 'GET',
  path: '/feed/:kind',
  audience: 'member',
  cached: true,
  summary: 'ホームのフィード（新しい順）',
  params: v.object({ kind: feedKind }),
  query: v.object({ cursor: v.optional(place) }),
  /** `head`: the place of the page's first post, for `countNewer`; null when the page is empty. */
  reply: v.object({ posts: v.array(postView), next: v.nullable(v.string()), head: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})

/** How many posts of a feed are newer than a place, up to `NEWER_CAP`; without a place, how many there are. */
export const countNewer = endpoint({
  name: 'countNewer',
  method: 'GET',
  path: '/feed/:kind/newer',
  audience: 'member',
  summary: 'フィードの新しい投稿の数',
  params: v.object({ kind: feedKind }),
  query: v.object({ than: v.optional(place) }),
  reply: v.object({ count: v.pipe(v.number(), v.maxValue(NEWER_CAP)) }),
  errors: ['unauthenticated'],
})
