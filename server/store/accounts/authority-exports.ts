// Exports for an authority: request, result, and expiry.
import { and, asc, desc, eq, gt, lt, lte } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { authorityExports } from '#server/store/tables/audit.ts'
import { reportedMessages } from '#server/store/tables/moderation.ts'

export type AuthorityExportRow = Omit<typeof authorityExports.$inferSelect, 'sealed'>

const { id, userId, madeBy, caseNumber, from, to, state, createdAt, expiresAt } = authorityExports
const columns = { id, userId, madeBy, caseNumber, from, to, state, createdAt, expiresAt }

export async function addAuthorityExport(tx: Db, row: typeof authorityExports.$inferInsert): Promise<void> {
  await tx.insert(authorityExports).values(row)
}

/** Those that one admin requested about a person, the newest first. */
export const listAuthorityExports = (db: Db, person: string, admin: string): Promise<AuthorityExportRow[]> =>
  db
    .select(columns)
    .from(authorityExports)
    .where(and(eq(userId, person), eq(madeBy, admin)))
    .orderBy(desc(createdAt), desc(id))
    .limit(50)

export async function findAuthorityExport(db: Db, exportId: string): Promise<AuthorityExportRow | undefined> {
  return (await db.select(columns).from(authorityExports).where(eq(id, exportId)))[0]
}

/** Stores the result of an export that waits. */
export async function setAuthorityExport(
  db: Db,
  exportId: string,
  result: { state: 'ready'; sealed: string; expiresAt: Date } | { state: 'failed' },
): Promise<void> {
  await db
    .update(authorityExports)
    .set(result)
    .where(and(eq(id, exportId), eq(state, 'waiting')))
}

/** The encrypted zip, if the admin requested it and it has not expired. */
export async function findAuthorityFile(
  db: Db,
  exportId: string,
  admin: string,
  now: number,
): Promise<{ readonly userId: string; readonly sealed: string } | undefined> {
  const isUsable = and(eq(state, 'ready'), gt(expiresAt, new Date(now)))
  const rows = await db
    .select({ userId, sealed: authorityExports.sealed })
    .from(authorityExports)
    .where(and(eq(id, exportId), eq(madeBy, admin), isUsable))
  return rows[0]
}

/** Removes the files of expired exports. The rows stay with the case numbers. */
export async function expireAuthorityExports(db: Db, now: number): Promise<void> {
  await db
    .update(authorityExports)
    .set({ state: 'expired', sealed: '' })
    .where(and(eq(state, 'ready'), lte(expiresAt, new Date(now))))
  const day = new Date(now - 24 * 3600_000)
  await db
    .update(authorityExports)
    .set({ state: 'failed' })
    .where(and(eq(state, 'waiting'), lt(createdAt, day)))
}

/** Copies of a person's messages in reports, in the order of the reports. */
export const reportedMessagesOf = (db: Db, person: string) =>
  db
    .select()
    .from(reportedMessages)
    .where(eq(reportedMessages.senderId, person))
    .orderBy(asc(reportedMessages.reportId), asc(reportedMessages.seq))
