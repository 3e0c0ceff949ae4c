// Likes. Giving one wants full access; taking one back is always done, whatever has become of the post.
import type { FastifyInstance } from 'fastify'
import { likeComment, likePost, unlikeComment, unlikePost } from '#contract/posts/likes.ts'
import type { Deps } from '#server/deps.ts'
import { commitInOrder } from '#server/services/mutations/sequence-number.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { memberRoute } from '#server/http/route.ts'
import type { NotificationEvent } from '#server/rules/notification-events.ts'
import {
  addCommentLike,
  addPostLike,
  countCommentLikes,
  likesComment,
  likesPost,
  removeCommentLike,
  removePostLike,
} from '#server/store/reactions/likes.ts'
import { type CommentRow, findComment } from '#server/store/reactions/comments.ts'
import { findPost, type PostRow } from '#server/store/posts/posts.ts'
import { readableComment, readablePost } from './readable.ts'
import { sayComment, sayLikes } from './live-counts.ts'

const postLiked = (post: Pick<PostRow, 'id' | 'authorId'>, by: string): NotificationEvent => ({
  is: 'like_post',
  by,
  to: post.authorId,
  postId: post.id,
})

const commentLiked = (comment: CommentRow, by: string): NotificationEvent => ({
  is: 'like_comment',
  by,
  to: comment.authorId,
  postId: comment.postId,
  commentId: comment.id,
  parentId: comment.parentId,
})

export function likeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, notifier } = deps
  const rateLimit = perPerson(deps.settings.limits.likes)

  memberRoute(
    app,
    likePost,
    async ({ viewer, params, request }) => {
      const post = await readablePost(deps, viewer, params.post_id)
      await commitInOrder(deps, { viewer, request }, { name: 'likePost', params }, async (tx, after) => {
        if (await addPostLike(tx, post.id, viewer.id, clock()))
          await notifier.notify(tx, after, postLiked(post, viewer.id))
      })
      return {
        data: {
          liked: await likesPost(db, params.post_id, viewer.id),
          likes: await sayLikes(deps, post.id, request),
        },
      }
    },
    { rateLimit },
  )
  memberRoute(
    app,
    unlikePost,
    async ({ viewer, params, request }) => {
      await commitInOrder(deps, { viewer, request }, { name: 'unlikePost', params }, async (tx, after) => {
        if (!(await removePostLike(tx, params.post_id, viewer.id))) return
        const post = await findPost(tx, params.post_id)
        if (post) await notifier.retract(tx, after, postLiked(post, viewer.id))
      })
      const likes = await sayLikes(deps, params.post_id, request)
      await readablePost(deps, viewer, params.post_id)
      return {
        data: { liked: await likesPost(db, params.post_id, viewer.id), likes },
      }
    },
    { rateLimit },
  )
  memberRoute(
    app,
    likeComment,
    async ({ viewer, params, request }) => {
      const { comment } = await readableComment(deps, viewer, params.comment_id)
      if (comment.deletedAt !== null) throw new ApiError('not_found')
      await commitInOrder(deps, { viewer, request }, { name: 'likeComment', params }, async (tx, after) => {
        if (await addCommentLike(tx, comment.id, viewer.id, clock()))
          await notifier.notify(tx, after, commentLiked(comment, viewer.id))
      })
      await sayComment(deps, comment, request)
      return {
        data: {
          liked: await likesComment(db, params.comment_id, viewer.id),
          likes: await countCommentLikes(db, comment.id),
        },
      }
    },
    { rateLimit },
  )
  memberRoute(
    app,
    unlikeComment,
    async ({ viewer, params, request }) => {
      await commitInOrder(deps, { viewer, request }, { name: 'unlikeComment', params }, async (tx, after) => {
        if (!(await removeCommentLike(tx, params.comment_id, viewer.id))) return
        const comment = await findComment(tx, params.comment_id)
        if (comment) await notifier.retract(tx, after, commentLiked(comment, viewer.id))
      })
      const { comment } = await readableComment(deps, viewer, params.comment_id)
      await sayComment(deps, comment, request)
      return {
        data: {
          liked: await likesComment(db, params.comment_id, viewer.id),
          likes: await countCommentLikes(db, comment.id),
        },
      }
    },
    { rateLimit },
  )
}
