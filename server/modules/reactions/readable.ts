// Reads a post or comment that a viewer may react to, or refuses access.
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { type CommentRow, findComment, showable } from '#server/store/reactions/comments.ts'
import type { PostFacts } from '#server/store/posts/post-facts.ts'
import { decisionOn, type Onlooker } from '#server/services/posts/post-decision.ts'

type ReadDeps = Pick<Deps, 'db' | 'clock'>

/** @throws `not_found` for a post that is hidden from the viewer, `forbidden` for one of which they see a preview */
export async function readablePost(
  { db, clock }: ReadDeps,
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
 * @throws `not_found` where its author, or the parent's author, is blocked for the viewer or not present
 */
export async function readableComment(
  deps: ReadDeps,
  viewer: Onlooker | null,
  commentId: string,
): Promise<{ comment: CommentRow; post: PostFacts }> {
  const comment = await findComment(deps.db, commentId)
  if (!comment) throw new ApiError('not_found')
  const post = await readablePost(deps, viewer, comment.postId)
  if (!(await isShown(deps, viewer, comment))) throw new ApiError('not_found')
  return { comment, post }
}

/** Whether the viewer sees a comment and, for a reply, its parent; either may be a placeholder. */
export async function isShown(
  { db }: ReadDeps,
  viewer: Onlooker | null,
  comment: CommentRow,
): Promise<boolean> {
  const ids = comment.parentId === null ? [comment.id] : [comment.id, comment.parentId]
  return (await showable(db, viewer?.id, ids)).size === ids.length
}
