// Reports of opened posts and watched videos, which analytics count.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/ids.ts'

/** So much of a video must have been played before it counts as watched; a part that is played twice counts once. */
export const WATCHED_SHARE = 0.9

/**
 * `opened`: the page of the post is on the screen. The server counts it as a view, or as a gate where the person cannot open
 * the post. `watched`: its video was played to `WATCHED_SHARE`. Each counts once for a person, a post and a day in Asia/Tokyo;
 * reports of the post's author, and reports that do not fit the post, are accepted and not counted.
 */
export const reportReading = endpoint({
  name: 'reportReading',
  method: 'POST',
  path: '/posts/:post_id/readings',
  audience: 'member',
  summary: '投稿を開いたこと、動画を見終えたことを知らせます',
  params: v.object({ post_id: id }),
  body: v.object({ what: v.picklist(['opened', 'watched']) }),
  reply: v.object({ received: v.literal(true) }),
  errors: ['unauthenticated', 'not_found'],
})
