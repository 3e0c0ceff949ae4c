// Counts of posts and comments, each read with its version by one statement.
import { and, eq, sql } from 'drizzle-orm'
import type { CommentReactions, PostCounts, PostReactions } from '#contract/posts/reactions.ts'
import type { Db } from '#server/store/database.ts'
import { commentCounts, commentLikes, postCounts, postLikes } from '#server/store/tables/reactions.ts'

const { likes, comments, version } = postCounts

/** All counts of a post. */
export async function postCountsOf(db: Db, postId: string): Promise<PostCounts> {
  const rows = await db
    .select({ likes, comments, version })
    .from(postCounts)
    .where(eq(postCounts.postId, postId))
  return rows[0] ?? { likes: 0, comments: 0, version: 0 }
}

/** All counts of a post, and whether the viewer likes it, at one moment. */
export async function postReactionsOf(db: Db, postId: string, viewerId: string): Promise<PostReactions> {
  const rows = await db
    .select({ likes, comments, version, liked: sql<boolean>`${postLikes.userId} is not null` })
    .from(postCounts)
    .leftJoin(postLikes, and(eq(postLikes.postId, postCounts.postId), eq(postLikes.userId, viewerId)))
    .where(eq(postCounts.postId, postId))
  return rows[0] ?? { likes: 0, comments: 0, version: 0, liked: false }
}

/** As `postReactionsOf`, of a comment. */
export async function commentReactionsOf(
  db: Db,
  commentId: string,
  viewerId: string,
): Promise<CommentReactions> {
  const rows = await db
    .select({
      likes: commentCounts.likes,
      replies: commentCounts.replies,
      version: commentCounts.version,
      liked: sql<boolean>`${commentLikes.userId} is not null`,
    })
    .from(commentCounts)
    .leftJoin(
      commentLikes,
      and(eq(commentLikes.commentId, commentCounts.commentId), eq(commentLikes.userId, viewerId)),
    )
    .where(eq(commentCounts.commentId, commentId))
  return rows[0] ?? { likes: 0, replies: 0, version: 0, liked: false }
}
