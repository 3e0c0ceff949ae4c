// Broadcasts: a creator's message to the members of chosen plans, each in their own conversation.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { MAX_PLANS } from '#contract/limits.ts'
import { postCard } from '#contract/posts/post-card.ts'
import { messageContent } from './messages.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const planIds = v.pipe(v.array(id), v.minLength(1, 'required'), v.maxLength(MAX_PLANS, 'too_long'))

export const broadcastView = v.object({
  id,
  content: v.string(),
  post: v.nullable(postCard),
  /** The chosen plans that still exist. */
  plans: v.array(v.object({ id, name: v.string() })),
  created_at: instant,
  /** `stopped`: people whom it had not reached do not get it. */
  state: v.picklist(['delivering', 'stopped', 'done']),
  /** People who were members when it was sent, without those whose account was deleted since. */
  recipients: count,
  delivered: count,
  /** Who did not get it: left the plans, a block, an account that is not present, or the setting of the recipient. */
  skipped: count,
  /** Of those who send read marks; null where the creator sends none. */
  read: v.nullable(count),
})
export type BroadcastView = v.InferOutput<typeof broadcastView>

/** Own broadcasts, newest first. */
export const listBroadcasts = endpoint({
  name: 'listBroadcasts',
  method: 'GET',
  path: '/broadcasts',
  audience: 'member',
  cached: true,
  summary: '自分の一斉送信',
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  reply: v.object({ broadcasts: v.array(broadcastView), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})

/**
 * How many people a broadcast to these own plans would be for, each counted once. `invalid` with the field `plan_ids`: not a
 * running plan of the viewer.
 */
export const countAudience = endpoint({
  name: 'countAudience',
  method: 'GET',
  path: '/broadcasts/audience',
  audience: 'member',
  summary: '一斉送信が届く人数',
  query: v.object({
    /** Ids with commas between them. */
    plan_ids: v.pipe(
      v.string(),
      v.maxLength(40 * MAX_PLANS, 'too_long'),
      v.transform((it) => it.split(',')),
      planIds,
    ),
  }),
  reply: v.object({ recipients: count }),
  errors: ['unauthenticated'],
})

/**
 * Accepts a broadcast to the present members of own plans; jobs deliver it. Sent again with the same id it changes nothing.
 * `conflict`: the id belongs to another broadcast. `invalid` with the field `plan_ids`: not a running plan of the sender;
 * with `post_id`: not a released post of the sender. `broadcast_limit`: as many as a day may have.
 */
export const sendBroadcast = endpoint({
  name: 'sendBroadcast',
  method: 'POST',
  path: '/broadcasts',
  audience: 'member',
  summary: 'プランのメンバーにメッセージを一斉送信します',
  body: v.pipe(
    v.object({
      /** A UUIDv7 made on the device: sent again it is the same broadcast. */
      id,
      /** '' only with a post. */
      content: messageContent,
      plan_ids: planIds,
      post_id: v.optional(v.nullable(id), null),
    }),
    v.forward(
      v.check((it) => it.content !== '' || it.post_id !== null, 'required'),
      ['content'],
    ),
  ),
  reply: broadcastView,
  errors: ['unauthenticated', 'conflict', 'broadcast_limit'],
})

/** Stops what is not delivered yet. After the reply no one gets it any more. A repeat, and a stop after the end, change nothing. */
export const stopBroadcast = endpoint({
  name: 'stopBroadcast',
  method: 'POST',
  path: '/broadcasts/:broadcast_id/stop',
  audience: 'member',
  summary: '一斉送信を停止します',
  params: v.object({ broadcast_id: id }),
  reply: broadcastView,
  errors: ['unauthenticated', 'not_found'],
})
