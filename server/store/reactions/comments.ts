// Comments and replies: adding, finding, counting and deleting them, and who sees them.
import { and, eq, inArray, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import { notBlocked } from '#server/store/people/blocks.ts'
import type { Db } from '#server/store/database.ts'
import { isPresent } from '#server/store/people/people.ts'
import { commentLikes, comments } from '#server/store/tables/reactions.ts'

export type CommentRow = typeof comments.$inferSelect

/** Adds a comment. @returns false when a comment has this id already */
export async function addCommentOnce(
  db: Db,
  comment: Pick<
    CommentRow,
    'id' | 'postId' | 'authorId' | 'parentId' | 'answersId' | 'content' | 'createdAt'
  >,
): Promise<boolean> {
  const added = await db
    .insert(comments)
    .values(comment)
    .onConflictDoNothing({ target: comments.id })
    .returning({ id: comments.id })
  return added.length === 1
}

export async function findComment(db: Db, id: string): Promise<CommentRow | undefined> {
  return (await db.select().from(comments).where(eq(comments.id, id)))[0]
}

/** Deletes a comment's text and likes; its row stays as a placeholder for replies. */
export async function markCommentDeleted(
  db: Db,
  id: string,
  deletedBy: NonNullable<CommentRow['deletedBy']>,
  now: number,
): Promise<void> {
  await db
    .update(comments)
    .set({ content: '', deletedAt: new Date(now), deletedBy, heldAt: null })
    .where(
      and(
        eq(comments.id, id),
        isNull(comments.withheldAt),
        or(isNull(comments.deletedAt), isNotNull(comments.heldAt)),
      ),
    )
  await db.delete(commentLikes).where(eq(commentLikes.commentId, id))
}

/**
 * For a where clause over comments: the author is present and not blocked for the viewer. Deleted comments pass, since
 * their placeholder does not show an author.
 */
export const seen = (viewer: Parameters<typeof notBlocked>[0]): SQL | undefined =>
  or(isNotNull(comments.deletedAt), and(isPresent(comments.authorId), notBlocked(viewer, comments.authorId)))

/** Those of these comments that the viewer sees, or sees as a placeholder. */
export async function showable(
  db: Db,
  viewerId: string | undefined,
  ids: readonly string[],
): Promise<Map<string, CommentRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(comments)
    .where(and(inArray(comments.id, [...ids]), seen(viewerId)))
  return new Map(rows.map((row) => [row.id, row]))
}
