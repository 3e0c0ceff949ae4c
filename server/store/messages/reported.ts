// Copies of reported messages: reading them for an admin, and removing them.
import { and, asc, desc, eq, inArray, lt, or } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { reportedMessages, reports } from '#server/store/tables/moderation.ts'

export type ReportOfMessage = typeof reports.$inferSelect

/** @returns undefined for a report of anything else */
export async function findReportOfMessage(db: Db, id: string): Promise<ReportOfMessage | undefined> {
  const rows = await db
    .select()
    .from(reports)
    .where(and(eq(reports.id, id), eq(reports.targetKind, 'message')))
  return rows[0]
}

export function listCopies(db: Db, reportId: string): Promise<(typeof reportedMessages.$inferSelect)[]> {
  return db
    .select()
    .from(reportedMessages)
    .where(eq(reportedMessages.reportId, reportId))
    .orderBy(asc(reportedMessages.seq))
}

/** The newest report of a case whose messages can still be read; undefined without one. */
export async function newestCopied(db: Db, caseId: string): Promise<string | undefined> {
  const rows = await db
    .select({ id: reports.id })
    .from(reports)
    .innerJoin(reportedMessages, eq(reportedMessages.reportId, reports.id))
    .where(eq(reports.caseId, caseId))
    .orderBy(desc(reports.createdAt), desc(reports.id))
    .limit(1)
  return rows[0]?.id
}

/**
 * Removes the copies of reports whose time is over.
 * @param decided of reports that were decided before this moment, ms since 1970
 * @param sent of reports that were sent before this moment, decided or not
 */
export async function removeCopiesBefore(
  db: Db,
  { decided, sent }: { readonly decided: number; readonly sent: number },
): Promise<void> {
  const over = db
    .select({ id: reports.id })
    .from(reports)
    .where(or(lt(reports.decidedAt, new Date(decided)), lt(reports.createdAt, new Date(sent))))
  await db.delete(reportedMessages).where(inArray(reportedMessages.reportId, over))
}

/**
 * Removes a deleted person's messages from the copies of all reports, and all copies of the reports about them, which need
 * no decision any more.
 */
export async function eraseCopies(tx: Db, userId: string): Promise<void> {
  const about = tx.select({ id: reports.id }).from(reports).where(eq(reports.ownerId, userId))
  await tx
    .delete(reportedMessages)
    .where(or(eq(reportedMessages.senderId, userId), inArray(reportedMessages.reportId, about)))
}
