// Automatic holds of posts and comments, as their authors read them.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { holdReasons, holdStates, reviewers } from './hold-names.ts'

export const ownHold = v.object({
  id,
  kind: v.picklist(['post', 'comment']),
  /** The post, or the post of the comment. */
  post_id: v.nullable(id),
  /** The beginning of the text; '' once it is deleted. */
  excerpt: v.string(),
  reason: v.picklist(holdReasons),
  /** The word of the operator's list; '' otherwise: words of a person are for that person alone. */
  word: v.string(),
  reviewer: v.picklist(reviewers),
  state: v.picklist(holdStates),
  created_at: instant,
  /** Null while it waits. */
  ended_at: v.nullable(instant),
})
export type OwnHold = v.InferOutput<typeof ownHold>

/** Posts and comments of the viewer that were held, the latest first. */
export const listOwnHolds = endpoint({
  name: 'listOwnHolds',
  method: 'GET',
  path: '/holds/own',
  audience: 'member',
  summary: '確認待ちになった自分の投稿とコメント',
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  reply: v.object({ holds: v.array(ownHold), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})
