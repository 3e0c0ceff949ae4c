// Parts of uploads: those that grow in order in an object store, and numbered ones.
// Each change is refused when other bytes were stored meanwhile.
import { and, asc, eq, gte, inArray, isNotNull, isNull, notExists, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { statement } from '#server/store/statement.ts'
import { media, uploadParts, uploads } from '#server/store/tables/media.ts'
import { isBelow, type UploadPrefix } from './upload-keys.ts'

export type UploadPartRow = Omit<typeof uploadParts.$inferSelect, 'uploadId'>

export interface StoredUploadRow {
  readonly numbered: boolean
  readonly stored: number
  /** Bytes of a finished upload, wherever they are; null while it is not finished. */
  readonly finished: number | null
  readonly storeId: string | null
  readonly tailSize: number
  readonly parts: readonly UploadPartRow[]
}

export async function findStoredUpload(db: Db, id: string): Promise<StoredUploadRow | undefined> {
  const { numbered, stored, storeId, tailSize, finishedAt, length } = uploads
  const finished = sql<number | null>`case when ${finishedAt} is not null then ${length} end`
  const [upload] = await db
    .select({ numbered, stored, finished: finished.mapWith(length), storeId, tailSize })
    .from(uploads)
    .where(eq(uploads.id, id))
  if (!upload) return undefined
  const { no, start, size, etag, sha256 } = uploadParts
  const parts = await db
    .select({ no, start, size, etag, sha256 })
    .from(uploadParts)
    .where(eq(uploadParts.uploadId, id))
    .orderBy(asc(no))
  return { ...upload, parts }
}

/** Those of some uploads below a prefix that are not finished. */
export async function findUnfinished(
  db: Db,
  prefix: UploadPrefix,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(inArray(uploads.id, [...ids]), isNull(uploads.finishedAt), isBelow(prefix)))
  return new Set(rows.map(({ id }) => id))
}

const unchanged = (id: string, expected: number) => and(eq(uploads.id, id), eq(uploads.stored, expected))
const hasStoreId = (storeId: string | null) =>
  storeId === null ? isNull(uploads.storeId) : eq(uploads.storeId, storeId)

/** Stores the store's id. @returns false when there is one, the upload is finished, or other bytes were stored meanwhile */
export async function beginStored(db: Db, id: string, expected: number, storeId: string): Promise<boolean> {
  const changed = await db
    .update(uploads)
    .set({ storeId })
    .where(and(unchanged(id, expected), isNull(uploads.storeId), isNull(uploads.finishedAt)))
    .returning({ id: uploads.id })
  return changed.length === 1
}

/** Adds a part that takes the place of the tail. @returns false when other bytes were stored meanwhile */
export async function addStoredPart(
  db: Db,
  id: string,
  expected: number,
  part: UploadPartRow,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx
      .update(uploads)
      .set({ stored: part.start + part.size, tailSize: 0 })
      .where(and(unchanged(id, expected), eq(sql`${uploads.stored} - ${uploads.tailSize}`, part.start)))
      .returning({ id: uploads.id })
    if (changed.length === 0) return false
    await tx.insert(uploadParts).values({ uploadId: id, ...part })
    return true
  })
}

/** Stores the size of the tail after the parts. @returns false when other bytes were stored meanwhile */
export async function setStoredTail(db: Db, id: string, expected: number, size: number): Promise<boolean> {
  const changed = await db
    .update(uploads)
    .set({ stored: sql`${uploads.stored} - ${uploads.tailSize} + ${size}`, tailSize: size })
    .where(unchanged(id, expected))
    .returning({ id: uploads.id })
  return changed.length === 1
}

/** Ends the bytes at an offset, without a tail. @returns false when other bytes were stored meanwhile */
export async function endStoredAt(db: Db, id: string, expected: number, offset: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx
      .update(uploads)
      .set({ stored: offset, tailSize: 0 })
      .where(unchanged(id, expected))
      .returning({ id: uploads.id })
    if (changed.length === 0) return false
    await tx.delete(uploadParts).where(and(eq(uploadParts.uploadId, id), gte(uploadParts.start, offset)))
    return true
  })
}

/** Changes an upload to numbered parts. @returns false when other bytes were stored meanwhile, or it has some already */
export async function numberParts(
  db: Db,
  id: string,
  expected: number,
  parts: readonly UploadPartRow[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx
      .update(uploads)
      .set({ numbered: true, stored: 0, tailSize: 0 })
      .where(and(unchanged(id, expected), eq(uploads.numbered, false), isNull(uploads.finishedAt)))
      .returning({ id: uploads.id })
    if (changed.length === 0) return false
    if (parts.length > 0) await tx.insert(uploadParts).values(parts.map((it) => ({ uploadId: id, ...it })))
    return true
  })
}

interface KeptPart extends UploadPartRow {
  readonly id: string
  readonly storeId: string | null
}

// The lock of the row: parts that are lost at the same time must not come back.
const keep = statement<KeptPart, { no: number }>(
  {
    id: 'uuid',
    storeId: 'text',
    no: 'integer',
    start: 'bigint',
    size: 'integer',
    etag: 'text',
    sha256: 'text',
  },
  (param) => sql`insert into ${uploadParts} (upload_id, no, start, size, etag, sha256)
    select u.id, ${param('no')}, ${param('start')}, ${param('size')}, ${param('etag')}, ${param('sha256')}
    from ${uploads} u where u.id = ${param('id')} and u.numbered and u.finished_at is null
      and u.store_id is not distinct from ${param('storeId')}
    for share of u
    on conflict (upload_id, no) do update
      set size = excluded.size, etag = excluded.etag, sha256 = excluded.sha256
      where upload_parts.size < excluded.size
    returning no`,
)

/**
 * Stores how many bytes a numbered part has.
 * @returns false when it has as many, or the upload is finished, has another store's id, or has no numbered parts
 */
export async function keepPart(
  db: Db,
  id: string,
  storeId: string | null,
  part: UploadPartRow,
): Promise<boolean> {
  return (await keep(db, { id, storeId, ...part })).length === 1
}

/**
 * Stores that the upload is an object, which has no parts, unless it has another store's id meanwhile.
 * @param digest its composite SHA-256, where it is known
 */
export async function completeStored(
  db: Db,
  id: string,
  storeId: string | null,
  digest: string | undefined,
): Promise<void> {
  await db.transaction(async (tx) => {
    const changed = await tx
      .update(uploads)
      .set({ storeId: null, tailSize: 0, stored: bytesOf(id), ...(digest !== undefined && { digest }) })
      .where(and(eq(uploads.id, id), hasStoreId(storeId)))
      .returning({ id: uploads.id })
    if (changed.length === 1) await tx.delete(uploadParts).where(eq(uploadParts.uploadId, id))
  })
}

/** Stores that an upload has lost its bytes. @returns false when others were stored, or it was completed, meanwhile */
export async function loseStored(
  db: Db,
  id: string,
  expected: number,
  storeId: string | null,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const changed = await tx
      .update(uploads)
      .set({ stored: 0, storeId: null, tailSize: 0 })
      .where(and(unchanged(id, expected), hasStoreId(storeId)))
      .returning({ id: uploads.id })
    if (changed.length === 1) await tx.delete(uploadParts).where(eq(uploadParts.uploadId, id))
    return changed.length === 1
  })
}

/** Bytes of an upload that becomes an object: those of numbered parts, or those that were stored in order. */
const bytesOf = (id: string) =>
  sql`case when ${uploads.numbered} and ${uploads.stored} = 0
    then (select coalesce(sum(${uploadParts.size}), 0) from ${uploadParts} where ${uploadParts.uploadId} = ${id}::uuid)
    else ${uploads.stored} end`

const noBytes = { numbered: false, stored: 0, storeId: null, tailSize: 0 } as const

/** Stores that an upload has no bytes, unless its bytes are below another prefix than those that are removed. */
export async function clearStored(db: Db, id: string, prefix: UploadPrefix): Promise<void> {
  await db.transaction(async (tx) => {
    const cleared = await tx
      .update(uploads)
      .set(noBytes)
      .where(and(eq(uploads.id, id), isBelow(prefix)))
      .returning({ id: uploads.id })
    if (cleared.length === 1) await tx.delete(uploadParts).where(eq(uploadParts.uploadId, id))
  })
}

/**
 * Stores that a finished upload has lost its bytes, so that its device sends them again from the first one.
 * @returns false for one that is not finished, or of which a media was made: its bytes are never replaced
 */
export async function unfinishUpload(db: Db, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const made = tx
      .select({ one: sql`1` })
      .from(media)
      .where(and(eq(media.id, id), eq(media.state, 'ready')))
    const lost = await tx
      .update(uploads)
      .set({ ...noBytes, finishedAt: null, digest: null })
      .where(and(eq(uploads.id, id), isNotNull(uploads.finishedAt), notExists(made)))
      .returning({ id: uploads.id })
    if (lost.length === 1) await tx.delete(uploadParts).where(eq(uploadParts.uploadId, id))
    return lost.length === 1
  })
}
