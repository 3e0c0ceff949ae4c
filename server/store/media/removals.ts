// Objects that wait for their removal, and what decides how long.
import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { dataExports } from '#server/store/tables/accounts.ts'
import { media, objectRemovals, uploads } from '#server/store/tables/media.ts'
import { isBelow, isDocument } from './upload-keys.ts'

export type NewRemoval = typeof objectRemovals.$inferInsert

/** Records that an object may be removed at a time. One that waits already gets the later time. */
export async function addRemoval(db: Db, removal: NewRemoval): Promise<void> {
  await db
    .insert(objectRemovals)
    .values(removal)
    .onConflictDoUpdate({
      target: objectRemovals.key,
      set: {
        ownerId: sql`coalesce(excluded.owner_id, ${objectRemovals.ownerId})`,
        dueAt: sql`greatest(excluded.due_at, ${objectRemovals.dueAt})`,
      },
    })
}

export async function dropRemoval(db: Db, key: string): Promise<void> {
  await db.delete(objectRemovals).where(eq(objectRemovals.key, key))
}

/** Keys whose time has come. @param after the last key that was read */
export async function listDueRemovals(db: Db, now: number, after: string): Promise<string[]> {
  const rows = await db
    .select({ key: objectRemovals.key })
    .from(objectRemovals)
    .where(and(lte(objectRemovals.dueAt, new Date(now)), sql`${objectRemovals.key} > ${after}`))
    .orderBy(asc(objectRemovals.key))
    .limit(500)
  return rows.map((it) => it.key)
}

/** Which of these keys wait for their removal. */
export async function waitingAmong(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .select({ key: objectRemovals.key })
    .from(objectRemovals)
    .where(inArray(objectRemovals.key, [...keys]))
  return new Set(rows.map((it) => it.key))
}

export interface UploadOfObject {
  readonly ownerId: string
  readonly isFinished: boolean
  readonly isDocument: boolean
}

/** The upload from which an object was made, or whose bytes it is. */
export async function findUploadOfObject(db: Db, id: string): Promise<UploadOfObject | undefined> {
  const rows = await db
    .select({ ownerId: uploads.ownerId, finishedAt: uploads.finishedAt, metadata: uploads.metadata })
    .from(uploads)
    .where(eq(uploads.id, id))
  const [row] = rows
  return (
    row && {
      ownerId: row.ownerId,
      isFinished: row.finishedAt !== null,
      isDocument: isDocument(row),
    }
  )
}

/** The owner of an export. */
export async function findOwnerOfExport(db: Db, id: string): Promise<string | undefined> {
  const rows = await db.select({ userId: dataExports.userId }).from(dataExports).where(eq(dataExports.id, id))
  return rows[0]?.userId
}

/** Whether a row needs the object again: the owner of an expired upload may use its id a second time. */
export async function isNeededAgain(db: Db, prefix: string, id: string): Promise<boolean> {
  if (prefix === 'media') return (await db.select().from(media).where(eq(media.id, id))).length > 0
  if (prefix !== 'uploads') return false
  const rows = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.id, id), isNull(uploads.expiredAt), isBelow(prefix)))
  return rows.length > 0
}
