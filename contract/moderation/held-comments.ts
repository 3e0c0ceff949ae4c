// Comments that wait for the review of the author of their post.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { holdReasons } from './hold-names.ts'

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
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
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
