// Changes of released posts by their authors: texts, audience and deletion.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/ids.ts'
import { MAX_PLANS_OF_POST, MAX_PRICE, MIN_PRICE } from '#contract/limits.ts'
import { filmDeclarationVersion } from './film-declaration.ts'
import { postContent, postIntroduction, postTitle } from './post-texts.ts'
import { postView } from './posts.ts'

/** Who a post is for; see `postType`. */
const audience = v.variant('type', [
  v.object({ type: v.literal(1) }),
  v.object({
    type: v.literal(2),
    plan_ids: v.pipe(v.array(id), v.minLength(1, 'required'), v.maxLength(MAX_PLANS_OF_POST, 'too_long')),
  }),
  v.object({
    type: v.literal(3),
    /** Yen, tax included. */
    price: v.pipe(
      v.number(),
      v.integer('malformed'),
      v.minValue(MIN_PRICE, 'too_small'),
      v.maxValue(MAX_PRICE, 'too_large'),
    ),
  }),
])
export type Audience = v.InferOutput<typeof audience>

/**
 * Changes the given fields and no others. `sold`: a buyer would lose access (docs/decisions/027).
 * `invalid` with `required` at `film_declaration`: an open age-limited film becomes a plan or priced one without it. `identity_required`: the post becomes a plan or priced one, and its author has no approved identity check.
 */
export const changePost = endpoint({
  name: 'changePost',
  method: 'PATCH',
  path: '/posts/:post_id',
  audience: 'member',
  summary: '自分の投稿の本文、タイトル、紹介文、公開範囲、コメントの受付を変更します',
  params: v.object({ post_id: id }),
  body: v.object({
    content: v.optional(postContent),
    /** '' for none. */
    title: v.optional(postTitle),
    introduction: v.optional(postIntroduction),
    audience: v.optional(audience),
    /** Version of the declaration, for an age-limited film that is sold from now on. */
    film_declaration: v.optional(filmDeclarationVersion),
    /** Whether no further comments are accepted; those that exist stay. */
    comments_closed: v.optional(v.boolean()),
  }),
  reply: postView,
  errors: ['unauthenticated', 'not_found', 'sold', 'identity_required'],
})

/** Deletes an own released post; a second call changes nothing. `sold`: it has a buyer. */
export const deletePost = endpoint({
  name: 'deletePost',
  method: 'DELETE',
  path: '/posts/:post_id',
  audience: 'member',
  summary: '自分の投稿を削除します',
  params: v.object({ post_id: id }),
  reply: v.object({ data: v.object({ id }) }),
  errors: ['unauthenticated', 'not_found', 'sold'],
})
