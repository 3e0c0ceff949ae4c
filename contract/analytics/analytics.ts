// Numbers of one's own posts by day: views, gates, likes, comments, purchases.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { postType } from '#contract/posts/posts.ts'

/** Days of a period. */
export const periods = [7, 28, 90] as const
export type Period = (typeof periods)[number]

/** Numbers of readers below this one are not shown, so that a creator cannot recognise a reader. */
export const MIN_READERS = 5

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/**
 * A number of readers. A part from 1 to 4 is not shown: it counts as 1 in `count`, and `is_few` says that there is one. So a
 * sum is never more exact than its parts. `count` 1 with `is_few` is 1 to 4; a larger `count` with `is_few` is "at least".
 */
const readers = v.object({ count, is_few: v.boolean() })
export type Readers = v.InferOutput<typeof readers>

const numbers = v.object({
  /** People who opened the post, once a day each. */
  views: readers,
  /** People who came to the post and could not open it, once a day each. */
  gates: readers,
  /** People who watched its video, once a day each. */
  watched: readers,
  /** Likes and comments of that day that still stand. */
  likes: count,
  comments: count,
  /** Without refunded ones. */
  purchases: count,
})
export type Numbers = v.InferOutput<typeof numbers>

/** A day in Asia/Tokyo, `YYYY-MM-DD`. */
const day = v.pipe(v.string(), v.isoDate())

const dayNumbers = v.object({ day, ...numbers.entries })
export type DayNumbers = v.InferOutput<typeof dayNumbers>

const ownPost = v.object({
  id,
  type: postType,
  /** The beginning of the text; '' for a post without text. */
  excerpt: v.string(),
  has_video: v.boolean(),
  released_at: instant,
})
export type OwnPost = v.InferOutput<typeof ownPost>

const postNumbers = v.object({ post: ownPost, ...numbers.entries })
export type PostNumbers = v.InferOutput<typeof postNumbers>

const query = v.object({
  days: v.optional(
    v.pipe(
      v.picklist(['7', '28', '90'], 'malformed'),
      v.transform((it) => Number(it) as Period),
    ),
    '28',
  ),
})

/**
 * The numbers of all own posts that are released and not deleted. The last day is the last one that has been over for 24
 * hours.
 */
export const getAnalytics = endpoint({
  name: 'getAnalytics',
  method: 'GET',
  path: '/analytics',
  audience: 'member',
  summary: '自分の投稿の集計',
  query,
  reply: v.object({
    /** Whether the person has released a post. */
    has_posts: v.boolean(),
    /** Every day of the period, the oldest first. */
    days: v.array(dayNumbers),
    total: numbers,
    /** At most 10, by views, purchases and likes. */
    top: v.array(postNumbers),
  }),
  errors: ['unauthenticated'],
})

/** The numbers of one own post. */
export const getPostAnalytics = endpoint({
  name: 'getPostAnalytics',
  method: 'GET',
  path: '/analytics/posts/:post_id',
  audience: 'member',
  summary: '自分の投稿ひとつの集計',
  params: v.object({ post_id: id }),
  query,
  reply: v.object({ post: ownPost, days: v.array(dayNumbers), total: numbers }),
  errors: ['unauthenticated', 'not_found'],
})
