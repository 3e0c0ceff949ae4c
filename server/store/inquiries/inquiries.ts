// Inquiries and their events: adding, finding, listing, locking and changing.
import { and, asc, desc, eq, inArray, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { InquiryAct, InquiryKind, InquiryList, InquiryState } from '#contract/inquiries/states.ts'
import type { Db } from '#server/store/database.ts'
import { inquiries, inquiryEvents } from '#server/store/tables/audit.ts'
import type { MessageCopy } from '#server/store/reactions/reports.ts'
import { cases, reportedMessages, reports } from '#server/store/tables/moderation.ts'

export type InquiryRecord = typeof inquiries.$inferSelect
export type EventRecord = typeof inquiryEvents.$inferSelect

/** @returns false when an inquiry has this id */
export async function addInquiry(
  tx: Db,
  row: Omit<typeof inquiries.$inferInsert, 'number' | 'state'>,
): Promise<boolean> {
  const added = await tx
    .insert(inquiries)
    .values({ ...row, state: 'unconfirmed' })
    .onConflictDoNothing()
    .returning({ id: inquiries.id })
  return added.length === 1
}

export async function findInquiry(db: Db, id: string): Promise<InquiryRecord | undefined> {
  return (await db.select().from(inquiries).where(eq(inquiries.id, id)))[0]
}

export async function lockInquiry(tx: Db, id: string): Promise<InquiryRecord | undefined> {
  return (await tx.select().from(inquiries).where(eq(inquiries.id, id)).for('update'))[0]
}

export async function setInquiry(
  tx: Db,
  id: string,
  changed: Partial<typeof inquiries.$inferInsert>,
): Promise<InquiryRecord> {
  const [row] = await tx.update(inquiries).set(changed).where(eq(inquiries.id, id)).returning()
  if (!row) throw new Error('the inquiry does not exist')
  return row
}

export interface NewEvent {
  readonly id: string
  readonly act: InquiryAct
  readonly staffId: string | null
  /** Encrypted for `id`; null for none. */
  readonly sealed: string | null
}

export async function addEvent(tx: Db, inquiryId: string, event: NewEvent, now: number): Promise<void> {
  await tx.insert(inquiryEvents).values({ ...event, inquiryId, at: new Date(now) })
}

/** The oldest first. Ids of one millisecond are in the order in which they were made. */
export function listEvents(db: Db, inquiryId: string): Promise<EventRecord[]> {
  return db
    .select()
    .from(inquiryEvents)
    .where(eq(inquiryEvents.inquiryId, inquiryId))
    .orderBy(asc(inquiryEvents.at), asc(inquiryEvents.id))
}

const statesOf: Record<InquiryList, readonly InquiryState[]> = {
  open: ['received', 'in_progress'],
  asked: ['asked_author', 'asked_sender'],
  decided: ['decided'],
}

export interface InquiryFilter {
  readonly list: InquiryList
  readonly kind: InquiryKind | undefined
  /** Only those due before this moment, ms; undefined for all. */
  readonly dueBefore: number | undefined
  /** Staff who read the list. */
  readonly readerId: string
  /** Whether claims for disclosure are listed. */
  readonly withDisclosure: boolean
}

/** For a where clause: neither sent by the person nor about their content. */
const isOfOthers = (personId: string): SQL =>
  sql`${inquiries.senderId} is distinct from ${personId} and ${inquiries.ownerId} is distinct from ${personId}`

/** By which people who are shown come before all others, ms. */
const FIRST_MS = 3650 * 24 * 3600_000

/** The place of an inquiry in its list. */
export const placeOf = ({ id, kind, state, dueAt, decidedAt, createdAt }: InquiryRecord): Place => {
  const at = (state === 'decided' ? decidedAt : dueAt) ?? createdAt
  const isFirst = kind === 'intimate' && state !== 'decided'
  return { at: isFirst ? new Date(at.getTime() - FIRST_MS) : at, id }
}

const duePlace = sql`case when ${inquiries.kind} = 'intimate'
  then ${inquiries.dueAt} - ${sql.raw(String(FIRST_MS))} * interval '1 millisecond' else ${inquiries.dueAt} end`

interface Place {
  readonly at: Date
  readonly id: string
}

/** A page of a list: requests of people who are shown first, then by `dueAt`; decided ones by `decidedAt`. */
export async function listInquiryRows(
  db: Db,
  { list, kind, dueBefore, readerId, withDisclosure }: InquiryFilter,
  after: Place | undefined,
  limit: number,
): Promise<InquiryRecord[]> {
  const isDecided = list === 'decided'
  const column = isDecided ? inquiries.decidedAt : duePlace
  const place = after && sql`(${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`
  const next =
    place &&
    (isDecided ? sql`(${column}, ${inquiries.id}) < ${place}` : sql`(${column}, ${inquiries.id}) > ${place}`)
  return db
    .select()
    .from(inquiries)
    .where(
      and(
        inArray(inquiries.state, [...statesOf[list]]),
        kind === undefined ? undefined : eq(inquiries.kind, kind),
        withDisclosure ? undefined : ne(inquiries.kind, 'disclosure'),
        dueBefore === undefined ? undefined : lt(inquiries.dueAt, new Date(dueBefore)),
        isOfOthers(readerId),
        next,
      ),
    )
    .orderBy(...(isDecided ? [desc(column), desc(inquiries.id)] : [asc(column), asc(inquiries.id)]))
    .limit(limit)
}

/** Inquiries that a decision of a case has decided, locked. */
export function lockDecidedBy(tx: Db, decisionId: string): Promise<InquiryRecord[]> {
  return tx.select().from(inquiries).where(eq(inquiries.decisionId, decisionId)).for('update')
}

/** Takes the report of an inquiry out of its case; a case without another open report is decided. */
export async function closeReport(tx: Db, reportId: string, now: number): Promise<void> {
  const [closed] = await tx
    .update(reports)
    .set({ state: 'dismissed', decidedAt: new Date(now) })
    .where(and(eq(reports.id, reportId), eq(reports.state, 'open')))
    .returning({ caseId: reports.caseId })
  if (!closed) return
  await tx
    .update(cases)
    .set({
      reports: sql`${cases.reports} - 1`,
      state: sql`case when ${cases.reports} = 1 and ${cases.state} = 'open' then 'decided' else ${cases.state} end`,
      since: sql`case when ${cases.reports} = 1 and ${cases.state} = 'open' then ${new Date(now).toISOString()}::timestamptz else ${cases.since} end`,
    })
    .where(eq(cases.id, closed.caseId))
}

/** The case of an inquiry's report. */
export async function caseOfReport(db: Db, reportId: string): Promise<string | undefined> {
  const rows = await db.select({ caseId: reports.caseId }).from(reports).where(eq(reports.id, reportId))
  return rows[0]?.caseId
}

/** The numbers of inquiries by their reports. */
export async function numbersOfReports(
  db: Db,
  reportIds: readonly string[],
): Promise<Map<string, { id: string; number: number }>> {
  if (reportIds.length === 0) return new Map()
  const rows = await db
    .select({ id: inquiries.id, number: inquiries.number, reportId: inquiries.reportId })
    .from(inquiries)
    .where(inArray(inquiries.reportId, [...reportIds]))
  return new Map(
    rows.flatMap((it) =>
      it.reportId === null ? [] : [[it.reportId, { id: it.id, number: it.number }] as const],
    ),
  )
}

/** Deletes unconfirmed inquiries from before a moment, ms. */
export async function removeUnconfirmed(tx: Db, before: number): Promise<void> {
  await tx
    .delete(inquiries)
    .where(and(eq(inquiries.state, 'unconfirmed'), lte(inquiries.createdAt, new Date(before))))
}

/** Ids of inquiries whose author has not answered in time, at most 500. */
export async function listSilent(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .select({ id: inquiries.id })
    .from(inquiries)
    .where(
      and(
        inArray(inquiries.state, [...statesOf.open, ...statesOf.asked]),
        isNull(inquiries.opinion),
        lte(inquiries.opinionDueAt, new Date(now)),
      ),
    )
    .limit(500)
  return rows.map((it) => it.id)
}

/**
 * Erases names, addresses and texts of decided inquiries. Numbers, kinds, outcomes and times stay, for the transparency page.
 * @param before of each kind: decided before this moment, ms
 */
export async function eraseDecided(
  tx: Db,
  before: (kind: InquiryKind) => number,
  kinds: readonly InquiryKind[],
): Promise<void> {
  const over = or(
    ...kinds.map((kind) => and(eq(inquiries.kind, kind), lte(inquiries.decidedAt, new Date(before(kind))))),
  )
  const erased = await tx
    .update(inquiries)
    .set({ sealed: null, senderId: null, ownerId: null })
    .where(and(eq(inquiries.state, 'decided'), over, sql`${inquiries.sealed} is not null`))
    .returning({ id: inquiries.id })
  if (erased.length === 0) return
  await tx
    .update(inquiryEvents)
    .set({ sealed: null })
    .where(
      inArray(
        inquiryEvents.inquiryId,
        erased.map((it) => it.id),
      ),
    )
}

/** Inquiries that a person sent with a session, the oldest first. */
export function listInquiriesOf(db: Db, senderId: string): Promise<InquiryRecord[]> {
  return db.select().from(inquiries).where(eq(inquiries.senderId, senderId)).orderBy(asc(inquiries.createdAt))
}

/** Removes a person from inquiries: as sender, author and staff. Unconfirmed ones of the person are deleted. */
export async function removeFromInquiries(tx: Db, userId: string): Promise<void> {
  await tx.delete(inquiries).where(and(eq(inquiries.senderId, userId), eq(inquiries.state, 'unconfirmed')))
  await tx.update(inquiries).set({ senderId: null }).where(eq(inquiries.senderId, userId))
  await tx.update(inquiries).set({ ownerId: null }).where(eq(inquiries.ownerId, userId))
  await tx.update(inquiries).set({ takenBy: null, takenUntil: null }).where(eq(inquiries.takenBy, userId))
  await tx.update(inquiryEvents).set({ staffId: null }).where(eq(inquiryEvents.staffId, userId))
}

/** Adds a report without a reporter to the locked case of a thing. */
export async function addReport(
  tx: Db,
  report: Omit<typeof reports.$inferInsert, 'reporterId'>,
): Promise<void> {
  await tx.insert(reports).values({ ...report, reporterId: null })
}

/** Adds the encrypted messages of a report. */
export async function addCopies(tx: Db, reportId: string, copies: readonly MessageCopy[]): Promise<void> {
  if (copies.length > 0) await tx.insert(reportedMessages).values(copies.map((it) => ({ ...it, reportId })))
}
