// Removes posts that were never released: withdrawn by their author, or expired.
import { and, eq, exists, gte, inArray, isNull, lt, not } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { media, uploads } from '#server/store/tables/media.ts'
import { postMedia, posts, withdrawnKeys } from '#server/store/tables/posts.ts'

/** A removed post, and the uploads it held. */
export interface Freed {
  readonly authorId: string
  readonly key: string | null
  /** Uploads that no post holds any more. */
  readonly uploads: readonly string[]
  /** The upload of the video that was to arrive by chunks. */
  readonly awaited: string | undefined
}

/**
 * Removes an unreleased post, so that nothing holds its uploads.
 * @returns 'released' or 'unknown' when there is no unreleased post to remove
 */
export async function removeUnreleased(
  db: Db,
  postId: string,
  authorId?: string,
): Promise<Freed | 'released' | 'unknown'> {
  const rows = await db
    .select({
      releasedAt: posts.releasedAt,
      heldAt: posts.heldAt,
      authorId: posts.authorId,
      key: posts.idempotencyKey,
    })
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
  // A held post is released for its author.
  if (rows[0].releasedAt !== null || rows[0].heldAt !== null) return 'released'
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

/** Restarts the lifetime of uploads, as if their last byte had arrived now. */
export async function touchUploads(db: Db, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .update(uploads)
    .set({ touchedAt: new Date(now) })
    .where(inArray(uploads.id, [...ids]))
}

export async function removeUploadRow(db: Db, id: string): Promise<void> {
  await db.delete(uploads).where(eq(uploads.id, id))
}

/** Marks uploads as expired; their rows stay for a while, so that clients receive 410. */
export async function markExpired(db: Db, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .update(uploads)
    .set({ expiredAt: new Date(now) })
    .where(inArray(uploads.id, [...ids]))
}

/** Unreleased posts that were added, and whose last byte arrived, before a moment. */
export async function listAbandoned(db: Db, before: number): Promise<string[]> {
  const recent = db
    .select({ id: uploads.id })
    .from(postMedia)
    .innerJoin(uploads, eq(uploads.id, postMedia.mediaId))
    .where(and(eq(postMedia.postId, posts.id), gte(uploads.touchedAt, new Date(before))))
  const rows = await db
    .select({ id: posts.id })
    .from(posts)
    .where(
      and(
        isNull(posts.releasedAt),
        isNull(posts.heldAt),
        lt(posts.createdAt, new Date(before)),
        not(exists(recent)),
      ),
    )
    .orderBy(posts.id)
    .limit(500)
  return rows.map((row) => row.id)
}

/** Records that the post of this key was withdrawn, in the transaction that removes it. */
export async function recordWithdrawn(
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
 * Whether the post of this key was withdrawn. Call it after inserting that key in the same transaction: a concurrent
 * withdrawal has then either ended or found the new row.
 */
export async function isWithdrawn(tx: Db, authorId: string, key: string): Promise<boolean> {
  const rows = await tx
    .select({ key: withdrawnKeys.key })
    .from(withdrawnKeys)
    .where(and(eq(withdrawnKeys.authorId, authorId), eq(withdrawnKeys.key, key)))
  return rows.length > 0
}

/** Deletes keys that were withdrawn before a moment. */
export async function removeWithdrawnBefore(db: Db, before: number): Promise<void> {
  await db.delete(withdrawnKeys).where(lt(withdrawnKeys.withdrawnAt, new Date(before)))
}
