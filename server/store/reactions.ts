// How many have liked and commented posts, and what one person liked.
import { and, eq, exists, inArray, sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { postCounts, postLikes } from './tables/reactions.ts'

export interface PostReactions {
  readonly likes: number
  readonly comments: number
  /** Whether this person likes it. */
  readonly liked: boolean
}

/** Counts of several posts, and whether a person likes them; one that is missing has none of either. */
export async function reactionsTo(
  db: Db,
  userId: string | undefined,
  postIds: readonly string[],
): Promise<Map<string, PostReactions>> {
  if (postIds.length === 0) return new Map()
  const own = and(eq(postLikes.postId, postCounts.postId), eq(postLikes.userId, userId ?? ''))
  const rows = await db
    .select({
      postId: postCounts.postId,
      likes: postCounts.likes,
      comments: postCounts.comments,
      liked:
        userId === undefined
          ? sql<boolean>`false`
          : sql<boolean>`${exists(
              db
                .select({ one: sql`1` })
                .from(postLikes)
                .where(own),
            )}`,
    })
    .from(postCounts)
    .where(inArray(postCounts.postId, [...postIds]))
  return new Map(rows.map(({ postId, ...row }) => [postId, row]))
}
