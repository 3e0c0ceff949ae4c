// Likes of posts and comments; only content shown in full can be liked.
import * as v from 'valibot'
import { countVersion } from '#contract/count-version.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/ids.ts'

const postParams = v.object({ post_id: id })
const commentParams = v.object({ comment_id: id })

/** What holds now: whether the caller likes it, and all counts of the post or comment. Earlier servers send only the likes. */
const reply = v.object({
  data: v.object({
    liked: v.boolean(),
    likes: v.number(),
    comments: v.optional(v.number()),
    replies: v.optional(v.number()),
    version: countVersion,
  }),
})

export const likePost = endpoint({
  name: 'likePost',
  method: 'PUT',
  path: '/posts/:post_id/like',
  audience: 'member',
  summary: '投稿に「いいね」を付けます',
  params: postParams,
  reply,
  errors: ['unauthenticated', 'not_found', 'forbidden'],
})

export const unlikePost = endpoint({
  name: 'unlikePost',
  method: 'DELETE',
  path: '/posts/:post_id/like',
  audience: 'member',
  summary: '投稿の「いいね」を取り消します',
  params: postParams,
  reply,
  errors: ['unauthenticated', 'not_found', 'forbidden'],
})

export const likeComment = endpoint({
  name: 'likeComment',
  method: 'PUT',
  path: '/comments/:comment_id/like',
  audience: 'member',
  summary: 'コメントに「いいね」を付けます',
  params: commentParams,
  reply,
  errors: ['unauthenticated', 'not_found', 'forbidden'],
})

export const unlikeComment = endpoint({
  name: 'unlikeComment',
  method: 'DELETE',
  path: '/comments/:comment_id/like',
  audience: 'member',
  summary: 'コメントの「いいね」を取り消します',
  params: commentParams,
  reply,
  errors: ['unauthenticated', 'not_found', 'forbidden'],
})
