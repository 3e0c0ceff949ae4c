// Routes of likes. Adding one requires full access to the post; removing one never does.
import type { FastifyInstance } from 'fastify'
import { likeComment, likePost, unlikeComment, unlikePost } from '#contract/posts/likes.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import type { NotificationEvent } from '#server/rules/notification-events.ts'
import { toggleRoutes } from '#server/services/mutations/toggle-routes.ts'
import { retractNotification } from '#server/services/notifications/notify.ts'
import {
  addCommentLike,
  addPostLike,
  removeCommentLike,
  removePostLike,
} from '#server/store/reactions/likes.ts'
import { commentReactionsOf, postReactionsOf } from '#server/store/reactions/counts.ts'
import { type CommentRow, findComment } from '#server/store/reactions/comments.ts'
import { findPost, type PostRow } from '#server/store/posts/posts.ts'
import { readableComment, readablePost } from './readable.ts'
import { commentChanged, likesChanged } from './live-counts.ts'

export function likeRoutes(app: FastifyInstance, deps: Deps): void {
  postLikeRoutes(app, deps)
  commentLikeRoutes(app, deps)
}

const postLiked = (post: Pick<PostRow, 'id' | 'authorId'>, by: string): NotificationEvent => ({
  is: 'like_post',
  by,
  to: post.authorId,
  postId: post.id,
})

function postLikeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, settings } = deps
  toggleRoutes(app, deps, {
    on: likePost,
    off: unlikePost,
    rateLimit: perPerson(settings.limits.likes),
    mayTurnOn: ({ viewer, params }) => readablePost(deps, viewer, params.post_id),
    async turnOn({ tx, notify, publish }, { viewer, request }, post) {
      publish(likesChanged(deps, post.id, request))
      if (await addPostLike(tx, post.id, viewer.id, clock())) await notify(postLiked(post, viewer.id))
    },
    async turnOff(unit, { viewer, params, request }) {
      unit.publish(likesChanged(deps, params.post_id, request))
      if (!(await removePostLike(unit.tx, params.post_id, viewer.id))) return
      const post = await findPost(unit.tx, params.post_id)
      if (post) await retractNotification(unit, postLiked(post, viewer.id))
    },
    async reply({ viewer, params }, isOn) {
      if (!isOn) await readablePost(deps, viewer, params.post_id)
      return { data: await postReactionsOf(db, params.post_id, viewer.id) }
    },
  })
}

const commentLiked = (comment: CommentRow, by: string): NotificationEvent => ({
  is: 'like_comment',
  by,
  to: comment.authorId,
  postId: comment.postId,
  commentId: comment.id,
  parentId: comment.parentId,
})

function commentLikeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, settings } = deps
  toggleRoutes(app, deps, {
    on: likeComment,
    off: unlikeComment,
    rateLimit: perPerson(settings.limits.likes),
    async mayTurnOn({ viewer, params }) {
      const { comment } = await readableComment(deps, viewer, params.comment_id)
      if (comment.deletedAt !== null) throw new ApiError('not_found')
      return comment
    },
    async turnOn({ tx, notify, publish }, { viewer, request }, comment) {
      publish(commentChanged(deps, comment, request))
      if (await addCommentLike(tx, comment.id, viewer.id, clock()))
        await notify(commentLiked(comment, viewer.id))
    },
    async turnOff(unit, { viewer, params, request }) {
      const comment = await findComment(unit.tx, params.comment_id)
      if (!comment) return
      unit.publish(commentChanged(deps, comment, request))
      if (await removeCommentLike(unit.tx, comment.id, viewer.id))
        await retractNotification(unit, commentLiked(comment, viewer.id))
    },
    async reply({ viewer, params }, isOn) {
      if (!isOn) await readableComment(deps, viewer, params.comment_id)
      return { data: await commentReactionsOf(db, params.comment_id, viewer.id) }
    },
  })
}
