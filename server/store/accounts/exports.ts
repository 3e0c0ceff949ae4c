// Exports of people's data: request, state, and expiry.
import { and, desc, eq, gt, inArray, lt, lte } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { dataExports } from '#server/store/tables/accounts.ts'
import { users } from '#server/store/tables/people.ts'

export type ExportRow = typeof dataExports.$inferSelect

/** Serialises the transactions of one person's export requests. */
export async function lockExportsOf(tx: Db, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}

export async function addExport(db: Db, id: string, userId: string, now: number): Promise<void> {
  await db.insert(dataExports).values({ id, userId, state: 'waiting', createdAt: new Date(now) })
}

export async function newestExport(db: Db, userId: string): Promise<ExportRow | undefined> {
  const rows = await db
    .select()
    .from(dataExports)
    .where(eq(dataExports.userId, userId))
    .orderBy(desc(dataExports.createdAt), desc(dataExports.id))
    .limit(1)
  return rows[0]
}

export async function findWaitingExport(db: Db, id: string): Promise<ExportRow | undefined> {
  const rows = await db
    .select()
    .from(dataExports)
    .where(and(eq(dataExports.id, id), eq(dataExports.state, 'waiting')))
  return rows[0]
}

/** A finished, unexpired zip of this person. */
export async function findReadyExport(db: Db, userId: string, now: number): Promise<ExportRow | undefined> {
  const rows = await db
    .select()
    .from(dataExports)
    .where(
      and(
        eq(dataExports.userId, userId),
        eq(dataExports.state, 'ready'),
        gt(dataExports.expiresAt, new Date(now)),
      ),
    )
    .orderBy(desc(dataExports.createdAt))
    .limit(1)
  return rows[0]
}

/** @returns false when the export is no longer waiting */
export async function setExportReady(
  db: Db,
  id: string,
  ready: {
    readonly tokenHash: string
    readonly length: number
    readonly readyAt: Date
    readonly expiresAt: Date
  },
): Promise<boolean> {
  const rows = await db
    .update(dataExports)
    .set({ ...ready, state: 'ready' })
    .where(and(eq(dataExports.id, id), eq(dataExports.state, 'waiting')))
    .returning({ id: dataExports.id })
  return rows.length === 1
}

export async function setExportFailed(db: Db, id: string): Promise<void> {
  await db
    .update(dataExports)
    .set({ state: 'failed' })
    .where(and(eq(dataExports.id, id), eq(dataExports.state, 'waiting')))
}

export async function listWaitingExports(db: Db): Promise<string[]> {
  const rows = await db
    .select({ id: dataExports.id })
    .from(dataExports)
    .where(eq(dataExports.state, 'waiting'))
    .orderBy(dataExports.createdAt)
  return rows.map((row) => row.id)
}

/** Expires exports at the end of their time. @returns ids whose files may be deleted */
export async function expireExports(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .update(dataExports)
    .set({ state: 'expired', tokenHash: null })
    .where(and(eq(dataExports.state, 'ready'), lte(dataExports.expiresAt, new Date(now))))
    .returning({ id: dataExports.id })
  return rows.map((row) => row.id)
}

/** Fails exports that have waited since before a moment: their process died more than once. */
export async function giveUpExports(db: Db, before: number): Promise<void> {
  await db
    .update(dataExports)
    .set({ state: 'failed' })
    .where(and(eq(dataExports.state, 'waiting'), lt(dataExports.createdAt, new Date(before))))
}

/** Deletes failed and expired exports that were requested before a moment. */
export async function removeExportsBefore(db: Db, before: number): Promise<void> {
  const over = inArray(dataExports.state, ['failed', 'expired'])
  await db.delete(dataExports).where(and(over, lt(dataExports.createdAt, new Date(before))))
}

/** Which of these zips can be downloaded. */
export async function readyAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: dataExports.id })
    .from(dataExports)
    .where(and(inArray(dataExports.id, [...ids]), eq(dataExports.state, 'ready')))
  return new Set(rows.map((row) => row.id))
}
