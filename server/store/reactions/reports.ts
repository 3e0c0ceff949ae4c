// Reports of content: one for each reporter and target.
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { countReport, lockCaseOf } from '#server/store/moderation/cases.ts'
import { comments } from '#server/store/tables/reactions.ts'
import { reportedMessages, reports } from '#server/store/tables/moderation.ts'

export type ReportRow = typeof reports.$inferSelect

export interface NewReport {
  readonly id: string
  readonly reporterId: string
  readonly targetKind: ReportRow['targetKind']
  readonly targetId: string
  readonly ownerId: string
  readonly reason: string
  readonly detail: string
  /** The reported texts at this moment. */
  readonly quoted: Readonly<Record<string, string>>
  /** Encrypted copies of the reported message and of those around it; empty for other kinds. */
  readonly copies: readonly MessageCopy[]
}

export type MessageCopy = Omit<typeof reportedMessages.$inferSelect, 'reportId'>

/**
 * Adds a report, or updates an open one of the same reporter and target; a decided one does not change. Copies of messages
 * are those of the first report: later the sender may have unsent them.
 * UNIQUE (reporter, target) decides between concurrent calls.
 */
export async function fileReport(
  db: Db,
  { copies, ...report }: NewReport,
  now: number,
): Promise<{ row: ReportRow; is: 'new' | 'changed' | 'decided' }> {
  return db.transaction(async (tx) => {
    const found = await lockCaseOf(tx, report, now)
    const added = await tx
      .insert(reports)
      .values({ ...report, caseId: found.id, createdAt: new Date(now) })
      .onConflictDoNothing({ target: [reports.reporterId, reports.targetKind, reports.targetId] })
      .returning()
    if (added[0]) {
      await countReport(tx, found, now)
      if (copies.length > 0)
        await tx.insert(reportedMessages).values(copies.map((it) => ({ ...it, reportId: report.id })))
      return { row: added[0], is: 'new' }
    }
    const same = and(
      eq(reports.reporterId, report.reporterId),
      eq(reports.targetKind, report.targetKind),
      eq(reports.targetId, report.targetId),
    )
    const { reason, detail, quoted } = report
    const changed = await tx
      .update(reports)
      .set({ reason, detail, quoted })
      .where(and(same, eq(reports.state, 'open')))
      .returning()
    if (changed[0]) return { row: changed[0], is: 'changed' }
    const decided = (await tx.select().from(reports).where(same))[0]
    if (!decided) throw new Error('the report was refused as a duplicate, but no report has its target')
    return { row: decided, is: 'decided' }
  })
}

interface ReportPlace {
  readonly at: Date
  readonly id: string
}

/** A person's own reports, the latest first; ids break ties. */
export async function listReportsBy(
  db: Db,
  reporterId: string,
  { after, limit }: { after: ReportPlace | undefined; limit: number },
): Promise<ReportRow[]> {
  return db
    .select()
    .from(reports)
    .where(
      and(
        eq(reports.reporterId, reporterId),
        after &&
          sql`(${reports.createdAt}, ${reports.id}) < (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(reports.createdAt), desc(reports.id))
    .limit(limit)
}

/** A comment that is not deleted, as a report quotes it. */
export async function findCommentText(
  db: Db,
  id: string,
): Promise<{ authorId: string; postId: string; content: string } | undefined> {
  const rows = await db
    .select({
      authorId: comments.authorId,
      postId: comments.postId,
      content: comments.content,
      deletedAt: comments.deletedAt,
    })
    .from(comments)
    .where(eq(comments.id, id))
  return rows[0]?.deletedAt === null ? rows[0] : undefined
}

/** Decides the open reports of a case. @returns those whose reporters still have accounts */
export async function decideReports(
  tx: Db,
  caseId: string,
  { state, answer, now }: { state: 'acted' | 'dismissed'; answer: string; now: number },
): Promise<{ id: string; reporterId: string }[]> {
  const decided = await tx
    .update(reports)
    .set({ state, answer, decidedAt: new Date(now) })
    .where(and(eq(reports.caseId, caseId), eq(reports.state, 'open')))
    .returning({ id: reports.id, reporterId: reports.reporterId })
  return decided.flatMap(({ id, reporterId }) => (reporterId === null ? [] : [{ id, reporterId }]))
}

const decidedAtOnce = (caseId: string, at: Date) => and(eq(reports.caseId, caseId), eq(reports.decidedAt, at))

/** Opens the reports of an undone decision again. @returns how many reports of the case are open */
export async function reopenReports(tx: Db, caseId: string, decidedAt: Date): Promise<number> {
  await tx
    .update(reports)
    .set({ state: 'open', answer: '', decidedAt: null })
    .where(decidedAtOnce(caseId, decidedAt))
  return tx.$count(reports, and(eq(reports.caseId, caseId), eq(reports.state, 'open')))
}

/** After a granted appeal, reporters read that nothing wrong was found. */
export async function dismissActed(tx: Db, caseId: string, decidedAt: Date): Promise<void> {
  await tx.update(reports).set({ state: 'dismissed' }).where(decidedAtOnce(caseId, decidedAt))
}

/** Reports of a case, the latest first. */
export async function listReportsOf(db: Db, caseId: string, limit: number): Promise<ReportRow[]> {
  return db
    .select()
    .from(reports)
    .where(eq(reports.caseId, caseId))
    .orderBy(desc(reports.createdAt), desc(reports.id))
    .limit(limit)
}

/** How often a person was reported, and has reported. */
export async function countReportsOf(db: Db, personId: string): Promise<{ about: number; by: number }> {
  return {
    about: await db.$count(reports, eq(reports.ownerId, personId)),
    by: await db.$count(reports, eq(reports.reporterId, personId)),
  }
}
