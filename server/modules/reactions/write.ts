// Writing a comment or a reply, once for each id its device made; and deleting it.
import type { FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import type { addCommentBody } from '#contract/posts/comments.ts'
import type { Deps } from '#server/deps.ts'
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
import { retractCommentNotifications } from '#server/services/notifications/notify.ts'
import { mentionEvents } from '#server/services/posts/mention-events.ts'
import type { Onlooker } from '#server/services/posts/post-decision.ts'
import { commentChanged } from './live-counts.ts'
import { isShown, readablePost } from './readable.ts'

type Body = v.InferOutput<typeof addCommentBody>

interface Asked {
  readonly viewer: Onlooker
  readonly request: FastifyRequest
}

export async function writeComment(
  deps: Deps,
  { viewer, request }: Asked,
  postId: string,
  body: Body,
): Promise<{ comment: CommentRow; post: PostFacts }> {
  const { db, clock, transaction } = deps
  const first = await findComment(db, body.id)
  const post = await readablePost(deps, viewer, postId)
  if (first) return { comment: sameComment(first, viewer, postId), post }
  const { id, content } = body
  const { parentId, answersId, answered } = await placeOfReply(deps, viewer, postId, body)
  const fresh = {
    id,
    postId,
    authorId: viewer.id,
    parentId,
    answersId,
    content,
    createdAt: new Date(clock()),
  }
  await transaction(async ({ tx, notify, publish }) => {
    publish(commentChanged(deps, fresh, request))
    if (!(await addCommentOnce(tx, fresh))) return
    const written = { by: viewer.id, postId, postAuthorId: post.authorId, commentId: id, parentId }
    const tellings = commentEvents({ ...written, answeredAuthors: answered })
    const told = new Set(tellings.map((it) => it.to))
    const named = await mentionEvents(tx, { ...written, text: content, notified: told }, clock())
    for (const it of [...tellings, ...named]) await notify(it)
  })
  // Two sendings at once: whichever came first is the comment.
  const comment = await findComment(db, id)
  if (!comment) throw new Error('a comment that was just written is not there')
  return { comment: sameComment(comment, viewer, postId), post }
}

/** The comment with this id, for the person who sent it before. */
function sameComment(comment: CommentRow, viewer: Onlooker, postId: string): CommentRow {
  if (comment.authorId !== viewer.id || comment.postId !== postId) throw new ApiError('conflict')
  if (comment.deletedAt !== null) throw new ApiError('gone')
  return comment
}

interface PlaceOfReply extends Pick<CommentRow, 'parentId' | 'answersId'> {
  /** Whose words it answers. */
  readonly answered: readonly string[]
}

/** The parent of a reply and the comment it answers; both must be visible to its author. */
async function placeOfReply(deps: Deps, viewer: Onlooker, postId: string, body: Body): Promise<PlaceOfReply> {
  if (body.parent_id === null) return { parentId: null, answersId: null, answered: [] }
  const parent = await findComment(deps.db, body.parent_id)
  if (!parent || parent.postId !== postId || parent.parentId !== null) throw new ApiError('not_found')
  if (!(await isShown(deps, viewer, parent))) throw new ApiError('not_found')
  if (parent.deletedAt !== null) throw new ApiError('gone')
  if (body.answers_id === null || body.answers_id === parent.id)
    return { parentId: parent.id, answersId: null, answered: [parent.authorId] }
  const answered = await findComment(deps.db, body.answers_id)
  if (!answered || answered.parentId !== parent.id) throw new ApiError('not_found')
  if (!(await isShown(deps, viewer, answered))) throw new ApiError('not_found')
  if (answered.deletedAt !== null) throw new ApiError('gone')
  return { parentId: parent.id, answersId: answered.id, answered: [parent.authorId, answered.authorId] }
}

/** One's own comment goes whatever has become of its post; any other on one's own post too. */
export async function removeComment(
  deps: Deps,
  { viewer, request }: Asked,
  commentId: string,
): Promise<void> {
  const { db, clock, transaction } = deps
  const comment = await findComment(db, commentId)
  if (!comment) throw new ApiError('not_found')
  const own = comment.authorId === viewer.id
  const post = own ? undefined : await findPost(db, comment.postId)
  if (!own && post?.authorId !== viewer.id) throw new ApiError('not_found')
  await transaction(async (unit) => {
    await markCommentDeleted(unit.tx, comment.id, own ? 'author' : 'post_author', clock())
    unit.publish(commentChanged(deps, comment, request))
    await retractCommentNotifications(unit, comment.postId, comment.id)
  })
}
