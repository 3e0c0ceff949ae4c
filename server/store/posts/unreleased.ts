// Posts that were never released: withdrawn by their author, or expired.
import { and, eq, exists, gte, inArray, isNull, lt, not } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { media, uploads } from '#server/store/tables/media.ts'
import { postMedia, posts, withdrawnKeys } from '#server/store/tables/posts.ts'

/** What a removed post held. */
export interface Freed {
  readonly authorId: string
  readonly key: string | null
  /** Uploads that no post uses any more. */
  readonly uploads: readonly string[]
  /** The video that was to come chunk by chunk. */
  readonly awaited: string | undefined
}

/**
 * Removes an unreleased post and lets its uploads go.
 * @returns 'released' or 'unknown' when there is none to remove
 */
export async function removeUnreleased(
  db: Db,
  postId: string,
  authorId?: string,
): Promise<Freed | 'released' | 'unknown'> {
  const rows = await db
    .select({ releasedAt: posts.releasedAt, authorId: posts.authorId, key: posts.idempotencyKey })
    .from(posts)
    .where(
      and(
        eq(posts.id, postId),
        authorId === undefined ? undefined : eq(posts.authorId, authorId),
        isNull(posts.deletedAt),
      ),
    )
    .for('update')
  if (!rows[0]) return 'unknown'
  if (rows[0].releasedAt !== null) return 'released'
  const held = await db
    .select({ id: postMedia.mediaId, received: uploads.received })
    .from(postMedia)
    .innerJoin(uploads, eq(uploads.id, postMedia.mediaId))
    .where(eq(postMedia.postId, postId))
  await db.delete(posts).where(eq(posts.id, postId))
  const ids = held.map((it) => it.id)
  if (ids.length > 0) await db.delete(media).where(inArray(media.id, ids))
  return {
    authorId: rows[0].authorId,
    key: rows[0].key,
    uploads: held.filter((it) => it.received === null).map((it) => it.id),
    awaited: held.find((it) => it.received !== null)?.id,
  }
}

/** Gives uploads their whole life again, as if their last byte came now. */
export async function touchUploads(db: Db, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .update(uploads)
    .set({ touchedAt: new Date(now) })
    .where(inArray(uploads.id, [...ids]))
}

export async function forgetUpload(db: Db, id: string): Promise<void> {
  await db.delete(uploads).where(eq(uploads.id, id))
}

/** The rows stay for a while, so that clients are answered 410. */
export async function markExpired(db: Db, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .update(uploads)
    .set({ expiredAt: new Date(now) })
    .where(inArray(uploads.id, [...ids]))
}

/** Unreleased posts that were added, and whose last byte came, before a moment. */
export async function listForsaken(db: Db, before: number): Promise<string[]> {
  const young = db
    .select({ id: uploads.id })
    .from(postMedia)
    .innerJoin(uploads, eq(uploads.id, postMedia.mediaId))
    .where(and(eq(postMedia.postId, posts.id), gte(uploads.touchedAt, new Date(before))))
  const rows = await db
    .select({ id: posts.id })
    .from(posts)
    .where(and(isNull(posts.releasedAt), lt(posts.createdAt, new Date(before)), not(exists(young))))
    .orderBy(posts.id)
    .limit(500)
  return rows.map((row) => row.id)
}

/** Records that the post of this key was withdrawn, in the transaction that removes it. */
export async function noteWithdrawn(
  tx: Db,
  { authorId, key }: Pick<Freed, 'authorId' | 'key'>,
  now: number,
): Promise<void> {
  if (key === null) return
  await tx
    .insert(withdrawnKeys)
    .values({ authorId, key, withdrawnAt: new Date(now) })
    .onConflictDoNothing()
}

/**
 * Whether the post of this key was withdrawn. Only after an insert of that key in the same transaction: a simultaneous
 * withdrawal has then either ended or found the new row.
 */
export async function isWithdrawn(tx: Db, authorId: string, key: string): Promise<boolean> {
  const rows = await tx
    .select({ key: withdrawnKeys.key })
    .from(withdrawnKeys)
    .where(and(eq(withdrawnKeys.authorId, authorId), eq(withdrawnKeys.key, key)))
  return rows.length > 0
}

/** Deletes what was noted before a moment. */
export async function forgetWithdrawn(db: Db, before: number): Promise<void> {
  await db.delete(withdrawnKeys).where(lt(withdrawnKeys.withdrawnAt, new Date(before)))
}
