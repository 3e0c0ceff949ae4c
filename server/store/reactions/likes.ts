// Likes of posts and comments. Triggers maintain their counts (decision 024).
import { and, eq } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { commentLikes, postLikes } from '#server/store/tables/reactions.ts'

/** @returns false when it was there before */
export async function addPostLike(db: Db, postId: string, userId: string, now: number): Promise<boolean> {
  const given = await db
    .insert(postLikes)
    .values({ postId, userId, createdAt: new Date(now) })
    .onConflictDoNothing()
    .returning({ id: postLikes.postId })
  return given.length === 1
}

/** @returns false when there was none */
export async function removePostLike(db: Db, postId: string, userId: string): Promise<boolean> {
  const taken = await db
    .delete(postLikes)
    .where(and(eq(postLikes.postId, postId), eq(postLikes.userId, userId)))
    .returning({ id: postLikes.postId })
  return taken.length === 1
}

/** @returns false when it was there before */
export async function addCommentLike(
  db: Db,
  commentId: string,
  userId: string,
  now: number,
): Promise<boolean> {
  const given = await db
    .insert(commentLikes)
    .values({ commentId, userId, createdAt: new Date(now) })
    .onConflictDoNothing()
    .returning({ id: commentLikes.commentId })
  return given.length === 1
}

/** @returns false when there was none */
export async function removeCommentLike(db: Db, commentId: string, userId: string): Promise<boolean> {
  const taken = await db
    .delete(commentLikes)
    .where(and(eq(commentLikes.commentId, commentId), eq(commentLikes.userId, userId)))
    .returning({ id: commentLikes.commentId })
  return taken.length === 1
}
