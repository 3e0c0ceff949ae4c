// Changes of posts by their authors, and emptying of deleted posts.
import { and, eq, exists, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { isStored } from '#server/store/moderation/withheld.ts'
import { removeVersions } from './post-versions.ts'
import type { PostRow, PostTexts } from './posts.ts'
import { postMedia, postPlans, posts, postPurchases, postVersions } from '#server/store/tables/posts.ts'

/** Locks an author's own post, also a deleted one; undefined when there is none. */
export async function lockOwnPost(tx: Db, id: string, authorId: string): Promise<PostRow | undefined> {
  const rows = await tx
    .select()
    .from(posts)
    .where(and(eq(posts.id, id), eq(posts.authorId, authorId)))
    .for('update')
  return rows[0]
}

/** Whether a post has a purchase without a refund. */
export async function isSold(db: Db, postId: string): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(postPurchases)
    .where(and(eq(postPurchases.postId, postId), isNull(postPurchases.revokedAt)))
    .limit(1)
  return rows.length > 0
}

export async function hasMedia(db: Db, postId: string): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(postMedia)
    .where(eq(postMedia.postId, postId))
    .limit(1)
  return rows.length > 0
}

export async function setPost(
  tx: Db,
  id: string,
  changed: Partial<
    Pick<PostRow, keyof PostTexts | 'editedAt' | 'type' | 'price' | 'commentsClosed' | 'deletedAt'>
  >,
): Promise<void> {
  if (Object.keys(changed).length > 0) await tx.update(posts).set(changed).where(eq(posts.id, id))
}

/** Replaces the plans that open a post. */
export async function setPostPlans(tx: Db, postId: string, planIds: readonly string[]): Promise<void> {
  await tx.delete(postPlans).where(eq(postPlans.postId, postId))
  if (planIds.length > 0)
    await tx.insert(postPlans).values([...new Set(planIds)].map((planId) => ({ postId, planId })))
}

/** Posts deleted before a moment that still have text or files. */
export async function listDeletedWhole(
  db: Db,
  before: number,
): Promise<{ readonly id: string; readonly deletedAt: Date }[]> {
  const held = db
    .select({ one: sql`1` })
    .from(postMedia)
    .where(eq(postMedia.postId, posts.id))
  const versions = db
    .select({ one: sql`1` })
    .from(postVersions)
    .where(eq(postVersions.postId, posts.id))
  return db
    .select({ id: posts.id, deletedAt: sql`${posts.deletedAt}`.mapWith(posts.deletedAt) })
    .from(posts)
    .where(
      and(
        isNotNull(posts.deletedAt),
        lt(posts.deletedAt, new Date(before)),
        sql`(${posts.content} <> '' or ${posts.title} <> '' or ${posts.introduction} <> '' or ${exists(held)} or ${exists(versions)})`,
        sql`not ${isStored('post', sql`${posts.id}`)}`,
      ),
    )
    .orderBy(posts.id)
    .limit(500)
}

/** Empties a deleted post: its row stays, without text and media. @returns ids of the media it held */
export async function emptyDeleted(tx: Db, postId: string): Promise<string[]> {
  const held = await tx
    .delete(postMedia)
    .where(eq(postMedia.postId, postId))
    .returning({ id: postMedia.mediaId })
  await removeVersions(tx, postId)
  await tx.update(posts).set({ content: '', title: '', introduction: '' }).where(eq(posts.id, postId))
  return held.map((it) => it.id)
}
