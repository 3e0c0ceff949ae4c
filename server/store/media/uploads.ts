// Uploads: their owner, length, digest, and expiry.
import { and, eq, inArray, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { media, uploadParts, uploads } from '#server/store/tables/media.ts'
import { isBelow } from './upload-keys.ts'

export type UploadRow = typeof uploads.$inferSelect
export interface NewUpload extends Pick<UploadRow, 'id' | 'ownerId' | 'length' | 'metadata'> {
  /** Whether all its bytes are at their final path already. */
  readonly whole?: boolean
}

/**
 * Claims an upload's id. The UNIQUE id decides between concurrent creations. The owner of an expired upload may claim
 * its id again.
 * @returns false when the id is already in use
 */
export async function claimUpload(db: Db, upload: NewUpload, now: number): Promise<boolean> {
  const at = new Date(now)
  const fresh = {
    length: upload.length,
    metadata: upload.metadata,
    createdAt: at,
    touchedAt: at,
    finishedAt: upload.whole ? at : null,
  }
  const claimed = await db
    .insert(uploads)
    .values({ id: upload.id, ownerId: upload.ownerId, ...fresh })
    .onConflictDoUpdate({
      target: uploads.id,
      set: { ...fresh, digest: null, expiredAt: null, received: null, chunks: null, wantedDigest: null },
      setWhere: sql`${uploads.expiredAt} is not null and ${uploads.ownerId} = ${upload.ownerId}`,
    })
    .returning({ id: uploads.id })
  return claimed.length === 1
}

export async function findUpload(db: Db, id: string): Promise<UploadRow | undefined> {
  return (await db.select().from(uploads).where(eq(uploads.id, id)))[0]
}

export async function findUploads(db: Db, ids: readonly string[]): Promise<Map<string, UploadRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(uploads)
    .where(inArray(uploads.id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}

export async function setUploadLength(db: Db, id: string, length: number): Promise<void> {
  await db
    .update(uploads)
    .set({ length })
    .where(and(eq(uploads.id, id), isNull(uploads.length)))
}

/** Records that bytes arrived: expiry counts from the last of them. */
export async function touchUpload(db: Db, id: string, now: number): Promise<void> {
  await db
    .update(uploads)
    .set({ touchedAt: new Date(now) })
    .where(eq(uploads.id, id))
}

/** Records that the last byte has arrived. */
export async function finishUpload(db: Db, id: string, now: number): Promise<void> {
  await db
    .update(uploads)
    .set({ finishedAt: new Date(now) })
    .where(and(eq(uploads.id, id), isNull(uploads.finishedAt)))
}

export async function setUploadDigest(db: Db, id: string, digest: string): Promise<void> {
  await db.update(uploads).set({ digest }).where(eq(uploads.id, id))
}

const unheld = (db: Db) =>
  notExists(
    db
      .select({ one: sql`1` })
      .from(media)
      .where(eq(media.id, uploads.id)),
  )

/** Deletes an upload that its owner terminated. A held one stays: a post may have taken it a moment ago. */
export async function removeUpload(
  db: Db,
  id: string,
  ownerId: string,
): Promise<'removed' | 'held' | 'unknown'> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({ expiredAt: uploads.expiredAt })
      .from(uploads)
      .where(and(eq(uploads.id, id), eq(uploads.ownerId, ownerId)))
      .for('update')
    if (rows.length === 0) return 'unknown'
    const gone = await tx
      .delete(uploads)
      .where(and(eq(uploads.id, id), unheld(tx)))
      .returning({ id: uploads.id })
    return gone.length === 1 ? 'removed' : 'held'
  })
}

/**
 * Marks uploads as expired that nothing holds and whose last bytes arrived before `before`.
 * @param kind only documents of identity checks, or all
 * @returns what names their bytes
 */
export async function expireUploads(
  db: Db,
  before: number,
  now: number,
  kind: 'all' | 'identity' = 'all',
): Promise<Pick<UploadRow, 'id' | 'metadata'>[]> {
  const wanted = kind === 'identity' ? isBelow('identity-uploads') : undefined
  return db.transaction(async (tx) => {
    const old = await tx
      .select({ id: uploads.id })
      .from(uploads)
      .where(and(isNull(uploads.expiredAt), lt(uploads.touchedAt, new Date(before)), unheld(tx), wanted))
      .orderBy(uploads.id)
      .limit(500)
      .for('update')
    const ids = old.map((row) => row.id)
    if (ids.length === 0) return []
    const expired = await tx
      .update(uploads)
      .set({ expiredAt: new Date(now), numbered: false })
      .where(and(inArray(uploads.id, ids), unheld(tx)))
      .returning({ id: uploads.id, metadata: uploads.metadata })
    const gone = expired.map(({ id }) => id)
    if (gone.length > 0) await tx.delete(uploadParts).where(inArray(uploadParts.uploadId, gone))
    return expired
  })
}

/** Deletes rows of uploads that expired before a moment, after which no client requests them. */
export async function removeExpiredUploads(db: Db, before: number): Promise<void> {
  await db.delete(uploads).where(lt(uploads.expiredAt, new Date(before)))
}
