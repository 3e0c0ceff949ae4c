// How many have liked and commented posts, and what one person liked.
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from './database.ts'
import { postCounts, postLikes } from './tables/reactions.ts'

export interface PostCounts {
  readonly likes: number
  readonly comments: number
}

/** Counts of several posts; one that is missing has none of either. */
export async function countsOfPosts(db: Db, postIds: readonly string[]): Promise<Map<string, PostCounts>> {
  if (postIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(postCounts)
    .where(inArray(postCounts.postId, [...postIds]))
  return new Map(rows.map(({ postId, likes, comments }) => [postId, { likes, comments }]))
}

/** Which of these posts a person likes. */
export async function likedAmong(db: Db, userId: string, postIds: readonly string[]): Promise<Set<string>> {
  if (postIds.length === 0) return new Set()
  const rows = await db
    .select({ id: postLikes.postId })
    .from(postLikes)
    .where(and(eq(postLikes.userId, userId), inArray(postLikes.postId, [...postIds])))
  return new Set(rows.map((row) => row.id))
}
