// Bought posts of deleted accounts, which stay for their buyers for a time.
import { and, asc, countDistinct, eq, isNotNull, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm'
import { postColumns } from '#server/store/personal/content.ts'
import { erasedRow } from '#server/store/personal/duties.ts'
import type { Db } from '#server/store/database.ts'
import { users } from '#server/store/tables/people.ts'
import { postMedia, posts, postPurchases } from '#server/store/tables/posts.ts'
import { removeVersions } from './post-versions.ts'

/** For a where clause over posts: a person whose account is not deleted has bought it, without a refund. */
const hasBuyer = sql`exists (select 1 from ${postPurchases} as pp join ${users} as buyer on buyer.id = pp.user_id
  where pp.post_id = ${posts.id} and pp.revoked_at is null and buyer.deleted_at is null)`

/** For a where clause over posts: the erasure of its author leaves it to its buyers. */
export const isKept: SQL = sql`(${posts.deletedAt} is null and ${hasBuyer})`

/** Posts that the erasure of an account leaves to their buyers, and how many these are. */
export async function countKept(db: Db, authorId: string): Promise<{ posts: number; buyers: number }> {
  const [row] = await db
    .select({ posts: countDistinct(posts.id), buyers: countDistinct(postPurchases.userId) })
    .from(posts)
    .innerJoin(postPurchases, and(eq(postPurchases.postId, posts.id), isNull(postPurchases.revokedAt)))
    .innerJoin(users, and(eq(users.id, postPurchases.userId), isNull(users.deletedAt)))
    .where(and(eq(posts.authorId, authorId), isNull(posts.deletedAt)))
  return row ?? { posts: 0, buyers: 0 }
}

/** A buyer of kept posts of an account, and how many they are. */
export interface KeptFor {
  readonly email: string
  readonly name: string
  readonly count: number
}

/** The buyers to whom the erasure of an account leaves posts. */
export const listKeptFor = (db: Db, authorId: string): Promise<KeptFor[]> =>
  db
    .select({ email: users.email, name: users.name, count: countDistinct(posts.id) })
    .from(posts)
    .innerJoin(postPurchases, and(eq(postPurchases.postId, posts.id), isNull(postPurchases.revokedAt)))
    .innerJoin(users, and(eq(users.id, postPurchases.userId), isNull(users.deletedAt)))
    .where(and(eq(posts.authorId, authorId), isNull(posts.deletedAt)))
    .groupBy(users.id)
    .orderBy(asc(users.id))

/** Whether a post is removed since this moment, and stays so until the transaction ends. */
export async function lockRemoved(tx: Db, postId: string, removedAt: Date): Promise<boolean> {
  const rows = await tx
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.id, postId), eq(posts.deletedAt, removedAt)))
    .for('update')
  return rows.length > 0
}

/** Bought posts of an author that staff have removed. */
export async function listRemovedBought(
  db: Db,
  authorId: string,
): Promise<{ readonly id: string; readonly deletedAt: Date }[]> {
  return db
    .select({ id: posts.id, deletedAt: sql`${posts.deletedAt}`.mapWith(posts.deletedAt) })
    .from(posts)
    .where(and(eq(posts.authorId, authorId), isNotNull(posts.deletedAt), hasBuyer))
    .orderBy(asc(posts.id))
}

/** Posts of accounts that were deleted before a moment, or whose buyers are all gone. */
export async function listKeptOver(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: posts.id })
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(
      and(
        isNotNull(users.deletedAt),
        isNull(posts.deletedAt),
        // An account whose deletion is under way still has its other posts.
        sql`not exists (select 1 from deletions where deletions.user_id = ${users.id})`,
        or(lte(users.deletedAt, before), not(hasBuyer)),
      ),
    )
    .orderBy(asc(posts.id))
    .limit(limit)
  return rows.map((row) => row.id)
}

/** Ends what its buyers could still read: the row stays, without text and media. @returns ids of the media it held */
export async function endKept(tx: Db, postId: string, now: number): Promise<string[]> {
  const held = await tx
    .delete(postMedia)
    .where(eq(postMedia.postId, postId))
    .returning({ id: postMedia.mediaId })
  await removeVersions(tx, postId)
  const [post] = await tx.select({ id: posts.authorId }).from(posts).where(eq(posts.id, postId))
  if (post)
    await tx
      .update(posts)
      .set(erasedRow(postColumns, { id: post.id, at: new Date(now) }))
      .where(eq(posts.id, postId))
  return held.map((it) => it.id)
}
