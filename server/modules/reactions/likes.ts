// Likes. Giving one wants full access; taking one back is always done, whatever has become of the post.
import type { FastifyInstance } from 'fastify'
import { likeComment, likePost, unlikeComment, unlikePost } from '#contract/likes.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { memberRoute } from '#server/http/route.ts'
import {
  addCommentLike,
  addPostLike,
  countCommentLikes,
  countPostLikes,
  removeCommentLike,
  removePostLike,
} from '#server/store/likes.ts'
import { readableComment, readablePost } from './readable.ts'

export function likeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps
  const rateLimit = perPerson(deps.settings.limits.likes)

  memberRoute(
    app,
    likePost,
    async ({ viewer, params }) => {
      const post = await readablePost(deps, viewer, params.post_id)
      await addPostLike(db, post.id, viewer.id, clock())
      return { data: { liked: true, likes: await countPostLikes(db, post.id) } }
    },
    { rateLimit },
  )
  memberRoute(
    app,
    unlikePost,
    async ({ viewer, params }) => {
      await removePostLike(db, params.post_id, viewer.id)
      const post = await readablePost(deps, viewer, params.post_id)
      return { data: { liked: false, likes: await countPostLikes(db, post.id) } }
    },
    { rateLimit },
  )
  memberRoute(
    app,
    likeComment,
    async ({ viewer, params }) => {
      const { comment } = await readableComment(deps, viewer, params.comment_id)
      if (comment.deletedAt !== null) throw new ApiError('not_found')
      await addCommentLike(db, comment.id, viewer.id, clock())
      return { data: { liked: true, likes: await countCommentLikes(db, comment.id) } }
    },
    { rateLimit },
  )
  memberRoute(
    app,
    unlikeComment,
    async ({ viewer, params }) => {
      await removeCommentLike(db, params.comment_id, viewer.id)
      const { comment } = await readableComment(deps, viewer, params.comment_id)
      return { data: { liked: false, likes: await countCommentLikes(db, comment.id) } }
    },
    { rateLimit },
  )
}
