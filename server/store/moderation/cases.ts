// Cases of reported things: finding, listing, locking and changing them.
import { and, asc, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { CaseOrder, CaseState } from '#contract/moderation/case-states.ts'
import type { ReportKind, ReportReason } from '#contract/posts/reports.ts'
import { newId } from '#contract/ids.ts'
import type { Db } from '#server/store/database.ts'
import { statement } from '#server/store/statement.ts'
import { cases } from '#server/store/tables/moderation.ts'
import { reports } from '#server/store/tables/moderation.ts'

export type CaseRecord = typeof cases.$inferSelect

/** Finds and locks the case of a thing, or adds one without reports. */
export async function lockCaseOf(
  tx: Db,
  target: Pick<CaseRecord, 'targetKind' | 'targetId' | 'ownerId'>,
  now: number,
): Promise<CaseRecord> {
  const [row] = await tx
    .insert(cases)
    .values({ ...target, id: newId(), state: 'open', reports: 0, since: new Date(now) })
    .onConflictDoUpdate({
      target: [cases.targetKind, cases.targetId],
      set: { ownerId: target.ownerId },
    })
    .returning()
  if (!row) throw new Error('a case was neither added nor found')
  return row
}

/** Counts a new report in its locked case. A decided case is open again. */
export async function countReport(tx: Db, row: CaseRecord, now: number): Promise<void> {
  const reopened = row.state === 'decided' ? { state: 'open' as const, since: new Date(now) } : {}
  await tx
    .update(cases)
    .set({ ...reopened, reports: row.reports + 1 })
    .where(eq(cases.id, row.id))
}

export async function findCase(db: Db, id: string): Promise<CaseRecord | undefined> {
  return (await db.select().from(cases).where(eq(cases.id, id)))[0]
}

export async function lockCase(tx: Db, id: string): Promise<CaseRecord | undefined> {
  return (await tx.select().from(cases).where(eq(cases.id, id)).for('update'))[0]
}

export async function setCase(
  tx: Db,
  id: string,
  changed: Partial<Pick<CaseRecord, 'state' | 'reports' | 'since' | 'takenBy' | 'takenUntil'>>,
): Promise<CaseRecord> {
  const [row] = await tx.update(cases).set(changed).where(eq(cases.id, id)).returning()
  if (!row) throw new Error('the case does not exist')
  return row
}

/** Removes a case without reports and decisions. */
export async function removeCase(tx: Db, id: string): Promise<void> {
  await tx.delete(cases).where(eq(cases.id, id))
}

/** For a where clause: a case that the person is not a part of, neither as owner nor as reporter, also by an inquiry. */
export const isOfOthers = (personId: string): SQL =>
  // Read once for the statement: joined, PostgreSQL would read all cases of a state before it sorts them.
  sql`${cases.ownerId} is distinct from ${personId} and ${cases.id} <> all(array(
    select ${reports.caseId} from ${reports} where ${reports.reporterId} = ${personId}
    union all select claimed.case_id from inquiries join ${reports} as claimed on claimed.id = inquiries.report_id
      where inquiries.sender_id = ${personId}))`

/** Whether a person is the owner of a case, or has reported it, also by an inquiry. */
export async function isInvolved(db: Db, caseId: string, personId: string): Promise<boolean> {
  const rows = await db
    .select({ id: cases.id })
    .from(cases)
    .where(and(eq(cases.id, caseId), isOfOthers(personId)))
  return rows.length === 0
}

const caseOf = statement<{ kind: ReportKind; target: string }, { readonly id: string }>(
  { kind: 'text', target: 'uuid' },
  (param) =>
    sql`select id from ${cases} where target_kind = ${param('kind')} and target_id = ${param('target')}`,
)

/** Whether a thing was reported. */
export async function hasCase(db: Db, kind: ReportKind, targetId: string): Promise<boolean> {
  return (await caseOf(db, { kind, target: targetId })).length > 0
}

export interface CasePlace {
  readonly reports: number
  readonly since: Date
  readonly id: string
}

export interface CaseFilter {
  readonly state: CaseState
  readonly kind?: ReportKind | undefined
  readonly order: CaseOrder
  /** Staff who read the list. */
  readonly readerId: string
  /** The owner of the cases; undefined for everyone. */
  readonly about?: string | undefined
  /** A reporter of the cases; undefined for everyone. */
  readonly by?: string | undefined
}

/** A page of cases. Each order has an index, with and without the kind. */
export async function listCaseRows(
  db: Db,
  { state, kind, order, readerId, about, by }: CaseFilter,
  after: CasePlace | undefined,
  limit: number,
): Promise<CaseRecord[]> {
  const latestFirst = state === 'decided'
  const byWeight = order === 'weight' && !latestFirst
  const lightness = sql`(-${cases.reports})`
  const place = after && sql`${after.since.toISOString()}::timestamptz, ${after.id}::uuid`
  const here = sql`(${cases.since}, ${cases.id})`
  const next = () => {
    if (!after) return undefined
    if (latestFirst) return sql`${here} < (${place})`
    if (!byWeight) return sql`${here} > (${place})`
    return sql`(${lightness}, ${cases.since}, ${cases.id}) > (${-after.reports}, ${place})`
  }
  const bySince = latestFirst ? [desc(cases.since), desc(cases.id)] : [asc(cases.since), asc(cases.id)]
  return db
    .select()
    .from(cases)
    .where(
      and(
        eq(cases.state, state),
        kind === undefined ? undefined : eq(cases.targetKind, kind),
        isOfOthers(readerId),
        about === undefined ? undefined : eq(cases.ownerId, about),
        by === undefined ? undefined : inArray(cases.id, casesReportedBy(db, by)),
        next(),
      ),
    )
    .orderBy(...(byWeight ? [asc(lightness), ...bySince] : bySince))
    .limit(limit)
}

const casesReportedBy = (db: Db, personId: string) =>
  db.select({ id: reports.caseId }).from(reports).where(eq(reports.reporterId, personId))

/** The case of a person's account; undefined without one, and for a reader who is a part of it. */
export async function findCaseOfPerson(
  db: Db,
  personId: string,
  readerId: string,
): Promise<CaseRecord | undefined> {
  const isOf = and(eq(cases.targetKind, 'person'), eq(cases.targetId, personId))
  const rows = await db
    .select()
    .from(cases)
    .where(and(isOf, isOfOthers(readerId)))
  return rows[0]
}

/** Whether undecided cases about and by a person wait, of those that the reader is not a part of. */
export async function waitingOf(
  db: Db,
  personId: string,
  readerId: string,
): Promise<{ about: boolean; by: boolean }> {
  const waits = and(ne(cases.state, 'decided'), isOfOthers(readerId))
  return {
    about: (await db.$count(cases, and(waits, eq(cases.ownerId, personId)))) > 0,
    by: (await db.$count(cases, and(waits, inArray(cases.id, casesReportedBy(db, personId))))) > 0,
  }
}

/** What the lists show of a case's reports. */
export interface CaseSummary {
  /** Each once, the most frequent first. */
  readonly reasons: readonly ReportReason[]
  /** Names and texts as they were at the latest report. */
  readonly quoted: Readonly<Record<string, string>>
}

export async function summariesOf(db: Db, ids: readonly string[]): Promise<Map<string, CaseSummary>> {
  if (ids.length === 0) return new Map()
  const within = inArray(reports.caseId, [...ids])
  const counted = await db
    .select({ caseId: reports.caseId, reason: reports.reason, count: sql<number>`count(*)::int` })
    .from(reports)
    .where(within)
    .groupBy(reports.caseId, reports.reason)
    .orderBy(desc(sql`count(*)`), asc(reports.reason))
  const latest = await db
    .selectDistinctOn([reports.caseId], { caseId: reports.caseId, quoted: reports.quoted })
    .from(reports)
    .where(within)
    .orderBy(asc(reports.caseId), desc(reports.createdAt))
  const reasons = Map.groupBy(counted, (it) => it.caseId)
  return new Map(
    latest.map(({ caseId, quoted }) => [
      caseId,
      { quoted, reasons: (reasons.get(caseId) ?? []).map((it) => it.reason as ReportReason) },
    ]),
  )
}

/** Cases by their ids. */
export async function findCases(db: Db, ids: readonly string[]): Promise<Map<string, CaseRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(cases)
    .where(inArray(cases.id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}
