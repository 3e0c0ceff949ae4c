// What a viewer may react to: posts they see in full, and comments on those by people they see.
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { type CommentRow, findComment, showable } from '#server/store/reactions/comments.ts'
import type { PostFacts } from '#server/store/posts/post-facts.ts'
import { decisionOn, type Onlooker } from '#server/services/posts/post-decision.ts'

type Reading = Pick<Deps, 'db' | 'clock'>

/** @throws `not_found` for a post the viewer may not know of, `forbidden` for one they see a preview of */
export async function readablePost(
  { db, clock }: Reading,
  viewer: Onlooker | null,
  postId: string,
): Promise<PostFacts> {
  const it = await decisionOn(db, viewer, postId, clock())
  // Reactions begin with the release: before it only the author sees the post.
  if (!it || it.post.releasedAt === null) throw new ApiError('not_found')
  if (it.decision.is !== 'full') throw new ApiError('forbidden')
  return it.post
}

/**
 * A comment whose post the viewer sees, with that post. It may be deleted.
 * @throws `not_found` where its author, or the parent's author, is blocked for the viewer or does not exist
 */
export async function readableComment(
  deps: Reading,
  viewer: Onlooker | null,
  commentId: string,
): Promise<{ comment: CommentRow; post: PostFacts }> {
  const comment = await findComment(deps.db, commentId)
  if (!comment) throw new ApiError('not_found')
  const post = await readablePost(deps, viewer, comment.postId)
  if (!(await isShown(deps, viewer, comment))) throw new ApiError('not_found')
  return { comment, post }
}

/** Whether both levels above a comment's words are there for the viewer. */
export async function isShown(
  { db }: Reading,
  viewer: Onlooker | null,
  comment: CommentRow,
): Promise<boolean> {
  const ids = comment.parentId === null ? [comment.id] : [comment.id, comment.parentId]
  return (await showable(db, viewer?.id, ids)).size === ids.length
}
