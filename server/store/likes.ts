// Likes given and taken back. How many there are is counted by triggers (decision 024).
import { and, eq } from 'drizzle-orm'
import type { Db } from './database.ts'
import { commentCounts, commentLikes, postCounts, postLikes } from './tables/reactions.ts'

export async function addPostLike(db: Db, postId: string, userId: string, now: number): Promise<void> {
  await db
    .insert(postLikes)
    .values({ postId, userId, createdAt: new Date(now) })
    .onConflictDoNothing()
}

export async function removePostLike(db: Db, postId: string, userId: string): Promise<void> {
  await db.delete(postLikes).where(and(eq(postLikes.postId, postId), eq(postLikes.userId, userId)))
}

export async function countPostLikes(db: Db, postId: string): Promise<number> {
  const rows = await db
    .select({ likes: postCounts.likes })
    .from(postCounts)
    .where(eq(postCounts.postId, postId))
  return rows[0]?.likes ?? 0
}

export async function addCommentLike(db: Db, commentId: string, userId: string, now: number): Promise<void> {
  await db
    .insert(commentLikes)
    .values({ commentId, userId, createdAt: new Date(now) })
    .onConflictDoNothing()
}

export async function removeCommentLike(db: Db, commentId: string, userId: string): Promise<void> {
  await db
    .delete(commentLikes)
    .where(and(eq(commentLikes.commentId, commentId), eq(commentLikes.userId, userId)))
}

export async function countCommentLikes(db: Db, commentId: string): Promise<number> {
  const rows = await db
    .select({ likes: commentCounts.likes })
    .from(commentCounts)
    .where(eq(commentCounts.commentId, commentId))
  return rows[0]?.likes ?? 0
}
