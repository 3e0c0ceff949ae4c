// Writes a comment or reply once for each id of a device, and deletes comments.
import type { FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import type { addCommentBody } from '#contract/posts/comments.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { commentEvents } from '#server/rules/notification-events.ts'
import {
  addCommentOnce,
  type CommentRow,
  findComment,
  markCommentDeleted,
} from '#server/store/reactions/comments.ts'
import type { PostFacts } from '#server/store/posts/post-facts.ts'
import { findPost } from '#server/store/posts/posts.ts'
import { endHold, setCommentHeld } from '#server/store/moderation/holds.ts'
import type { Db } from '#server/store/database.ts'
import { type Found, operatorWordIn, ownWordIn } from '#server/services/holds/found.ts'
import { holdComment } from '#server/services/holds/hold.ts'
import { linkOfStranger, spendEqualComment, spendOfNew } from '#server/services/holds/pace.ts'
import { retractCommentNotifications } from '#server/services/notifications/notify.ts'
import { spendLimit } from '#server/services/runtime/limits.ts'
import { mentionEvents } from '#server/services/posts/mention-events.ts'
import type { Onlooker } from '#server/services/posts/post-decision.ts'
import { commentChanged } from './live-counts.ts'
import { isShown, readablePost } from './readable.ts'

type Body = v.InferOutput<typeof addCommentBody>

interface RequestContext {
  readonly viewer: Onlooker
  readonly request: FastifyRequest
}

export async function writeComment(
  deps: Deps,
  { viewer, request }: RequestContext,
  postId: string,
  body: Body,
): Promise<{ comment: CommentRow; post: PostFacts }> {
  const { db, clock, transaction } = deps
  const first = await findComment(db, body.id)
  const post = await readablePost(deps, viewer, postId)
  if (first) {
    const comment = existingComment(first, viewer, postId)
    deps.metrics.repeated('comment')
    return { comment, post }
  }
  if (post.commentsClosed) throw new ApiError('comments_closed')
  await spendOfNew(deps, viewer.id, 'comments')
  await spendLimit(deps, 'comments_per_hour', viewer.id)
  const { id, content } = body
  const { parentId, answersId, answeredAuthors } = await replyTargetOf(deps, viewer, postId, body)
  const fresh = {
    id,
    postId,
    authorId: viewer.id,
    parentId,
    answersId,
    content,
    createdAt: new Date(clock()),
  }
  await transaction(async (unit) => {
    const { tx, notify, publish } = unit
    // The author may have closed the comments since the post was read.
    if ((await findPost(tx, postId))?.commentsClosed !== false) throw new ApiError('comments_closed')
    const written = { by: viewer.id, to: post.authorId, text: content }
    await spendEqualComment(deps, tx, written)
    const found = await heldFor(deps, tx, written)
    if (found) return addHeld(unit, fresh, post.authorId, found)
    publish(commentChanged(deps, fresh, request))
    if (!(await addCommentOnce(tx, fresh))) return deps.metrics.repeated('comment')
    const about = { by: viewer.id, postId, postAuthorId: post.authorId, commentId: id, parentId }
    const events = commentEvents({ ...about, answeredAuthors })
    const notified = new Set(events.map((it) => it.to))
    const mentions = await mentionEvents(tx, { ...about, text: content, notified }, clock())
    for (const it of [...events, ...mentions]) await notify(it)
  })
  // Of concurrent requests with one id, the first to commit is stored.
  const comment = await findComment(db, id)
  if (!comment) throw new Error('the comment that was just written was not found')
  return { comment: existingComment(comment, viewer, postId), post }
}

type Fresh = Parameters<typeof addCommentOnce>[1]

/**
 * Why a comment waits for a review: a word of the operator, one of the post's author, or a link of a stranger. Authors write freely below
 * their own posts.
 */
async function heldFor(
  deps: Deps,
  tx: Db,
  written: { readonly by: string; readonly to: string; readonly text: string },
): Promise<Found | undefined> {
  const { by, to, text } = written
  const listed = await operatorWordIn(tx, text)
  if (listed || by === to) return listed
  return (await ownWordIn(tx, to, text)) ?? linkOfStranger(deps, tx, written)
}

/** Adds a held comment: it counts as deleted for all but its author, and no one else is notified before it is shown. */
async function addHeld(unit: Unit, fresh: Fresh, postAuthorId: string, found: Found): Promise<void> {
  if (!(await addCommentOnce(unit.tx, fresh))) return
  await setCommentHeld(unit.tx, fresh.id, fresh.createdAt)
  await holdComment(unit, fresh, postAuthorId, found, fresh.createdAt.getTime())
}

/**
 * A stored comment, for the member who sent it before.
 * @throws `conflict` where the id has another author or post, `gone` where the comment is deleted
 */
function existingComment(comment: CommentRow, viewer: Onlooker, postId: string): CommentRow {
  if (comment.authorId !== viewer.id || comment.postId !== postId) throw new ApiError('conflict')
  if (comment.deletedAt !== null && comment.heldAt === null) throw new ApiError('gone')
  return comment
}

interface ReplyTarget extends Pick<CommentRow, 'parentId' | 'answersId'> {
  /** The authors of the parent and of the answered comment. */
  readonly answeredAuthors: readonly string[]
}

/** The parent of a reply and the comment it answers; both must be visible to its author. */
async function replyTargetOf(deps: Deps, viewer: Onlooker, postId: string, body: Body): Promise<ReplyTarget> {
  if (body.parent_id === null) return { parentId: null, answersId: null, answeredAuthors: [] }
  const parent = await findComment(deps.db, body.parent_id)
  if (!parent || parent.postId !== postId || parent.parentId !== null) throw new ApiError('not_found')
  if (!(await isShown(deps, viewer, parent))) throw new ApiError('not_found')
  if (parent.deletedAt !== null) throw new ApiError('gone')
  if (body.answers_id === null || body.answers_id === parent.id)
    return { parentId: parent.id, answersId: null, answeredAuthors: [parent.authorId] }
  const answered = await findComment(deps.db, body.answers_id)
  if (!answered || answered.parentId !== parent.id) throw new ApiError('not_found')
  if (!(await isShown(deps, viewer, answered))) throw new ApiError('not_found')
  if (answered.deletedAt !== null) throw new ApiError('gone')
  return {
    parentId: parent.id,
    answersId: answered.id,
    answeredAuthors: [parent.authorId, answered.authorId],
  }
}

/** Deletes a comment for its author, whatever the state of its post, or for the author of the post. */
export async function removeComment(
  deps: Deps,
  { viewer, request }: RequestContext,
  commentId: string,
): Promise<CommentRow> {
  const { db, clock, transaction } = deps
  const comment = await findComment(db, commentId)
  if (!comment) throw new ApiError('not_found')
  const own = comment.authorId === viewer.id
  const post = own ? undefined : await findPost(db, comment.postId)
  if (!own && post?.authorId !== viewer.id) throw new ApiError('not_found')
  await transaction(async (unit) => {
    await markCommentDeleted(unit.tx, comment.id, own ? 'author' : 'post_author', clock())
    const thing = { targetKind: 'comment', targetId: comment.id } as const
    await endHold(unit.tx, thing, own ? 'withdrawn' : 'removed', clock())
    unit.publish(commentChanged(deps, comment, request))
    await retractCommentNotifications(unit, comment.postId, comment.id)
  })
  return comment
}
