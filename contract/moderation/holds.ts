// Automatic holds as authors read them, and comments that a creator reviews.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
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

const cursor = v.optional(v.pipe(v.string(), v.maxLength(200)))

/** Posts and comments of the viewer that were held, the latest first. */
export const listOwnHolds = endpoint({
  name: 'listOwnHolds',
  method: 'GET',
  path: '/holds/own',
  audience: 'member',
  summary: '確認待ちになった自分の投稿とコメント',
  query: v.object({ cursor }),
  reply: v.object({ holds: v.array(ownHold), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})

const heldComment = v.object({
  id,
  post_id: id,
  author: personView,
  content: v.string(),
  reason: v.picklist(holdReasons),
  /** The word of the viewer's list; '' for another reason. */
  word: v.string(),
  created_at: instant,
})
export type HeldComment = v.InferOutput<typeof heldComment>

/** Comments below posts of the viewer that wait for the viewer's review, the latest first. */
export const listHeldComments = endpoint({
  name: 'listHeldComments',
  method: 'GET',
  path: '/holds/comments',
  audience: 'member',
  summary: '自分の確認を待つコメント',
  query: v.object({ cursor }),
  reply: v.object({ comments: v.array(heldComment), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})

/** Shows a held comment below a post of the viewer, or deletes it. `gone`: it does not wait any more. */
export const reviewHeldComment = endpoint({
  name: 'reviewHeldComment',
  method: 'POST',
  path: '/holds/comments/:comment_id',
  audience: 'member',
  summary: '確認待ちのコメントを表示または削除します',
  params: v.object({ comment_id: id }),
  body: v.object({ show: v.boolean() }),
  reply: v.object({ shown: v.boolean() }),
  errors: ['unauthenticated', 'not_found', 'gone'],
})
