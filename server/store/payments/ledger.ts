// The ledger: adding entries, and the sums of its accounts.
import { and, asc, desc, eq, min, or, sql } from 'drizzle-orm'
import { newId } from '#contract/ids.ts'
import type { Db } from '#server/store/database.ts'
import { ledgerClosedDays, ledgerEntries, ledgerLines } from '#server/store/tables/ledger.ts'

export type LedgerCause = (typeof ledgerEntries.$inferSelect)['cause']

interface NewLine {
  readonly account: string
  readonly creatorId: string | null
  /** Yen, positive for a debit. */
  readonly amount: number
}

/** What an entry is about: ids of rows. A refund and a dispute are of a charge. */
export type EntrySubject =
  | { readonly chargeId: string; readonly refundId?: string }
  | { readonly chargeId: string; readonly disputeId: string }
  | { readonly payoutId: string }
  | { readonly complimentaryId: string }
  | { readonly settlementId: string }
  | { readonly statementId: string }
  | { readonly clearingId: string }
  | { readonly bankFeeId: string }

export type NewEntry = EntrySubject & {
  readonly cause: LedgerCause
  /** Whose sales or payouts it changes; null when it is between the platform and a buyer or the provider. */
  readonly creatorId: string | null
  readonly lines: readonly NewLine[]
}

/**
 * Adds an entry with its lines, once for each cause and subject. The database refuses lines that do not add up to zero at
 * the commit. An entry of a server whose clock is late is booked after the last closed day.
 * @returns false when the entry exists
 */
export async function addEntryOnce(tx: Db, entry: NewEntry, now: number): Promise<boolean> {
  const { cause, creatorId, lines } = entry
  const id = newId()
  const openFrom = tx
    .select({ at: sql`(max(${ledgerClosedDays.day}) + 1)::timestamp at time zone 'Asia/Tokyo'` })
    .from(ledgerClosedDays)
  const added = await tx
    .insert(ledgerEntries)
    .values({
      id,
      cause,
      ...subjectOf(entry),
      creatorId,
      at: sql`greatest(${new Date(now).toISOString()}::timestamptz, (${openFrom}))`,
    })
    .onConflictDoNothing()
    .returning({ id: ledgerEntries.id })
  if (added.length === 0) return false
  await tx.insert(ledgerLines).values(lines.map((it) => ({ ...it, id: newId(), entryId: id })))
  return true
}

const subjectOf = (subject: EntrySubject) => ({
  chargeId: 'chargeId' in subject ? subject.chargeId : null,
  payoutId: 'payoutId' in subject ? subject.payoutId : null,
  complimentaryId: 'complimentaryId' in subject ? subject.complimentaryId : null,
  settlementId: 'settlementId' in subject ? subject.settlementId : null,
  statementId: 'statementId' in subject ? subject.statementId : null,
  clearingId: 'clearingId' in subject ? subject.clearingId : null,
  bankFeeId: 'bankFeeId' in subject ? subject.bankFeeId : null,
  refundId: 'refundId' in subject ? subject.refundId : null,
  disputeId: 'disputeId' in subject ? subject.disputeId : null,
})

/** An entry with its lines, in yen; positive for a debit. */
export interface BookedEntry {
  readonly id: string
  readonly cause: LedgerCause
  readonly lines: readonly {
    readonly account: string
    readonly isOfCreator: boolean
    readonly amount: number
  }[]
}

/** What entries can be read by. */
const subjects = [
  'chargeId',
  'refundId',
  'disputeId',
  'complimentaryId',
  'settlementId',
  'clearingId',
  'bankFeeId',
] as const

/** The entries of what they are about, in the order of their booking, debits first. */
export async function entriesOf(
  db: Db,
  subject: Readonly<Partial<Record<(typeof subjects)[number], string>>>,
): Promise<BookedEntry[]> {
  const conditions = subjects.flatMap((of) => {
    const id = subject[of]
    return id === undefined ? [] : [eq(ledgerEntries[of], id)]
  })
  if (conditions.length === 0) return []
  const rows = await db
    .select({
      entryId: ledgerEntries.id,
      cause: ledgerEntries.cause,
      account: ledgerLines.account,
      creatorId: ledgerLines.creatorId,
      amount: ledgerLines.amount,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerLines, eq(ledgerLines.entryId, ledgerEntries.id))
    .where(or(...conditions))
    .orderBy(
      asc(ledgerEntries.at),
      asc(ledgerEntries.cause),
      desc(ledgerLines.amount),
      asc(ledgerLines.account),
    )
  return [...Map.groupBy(rows, (row) => row.entryId).values()].flatMap((lines) => {
    const [first] = lines
    if (!first) return []
    return [
      {
        id: first.entryId,
        cause: first.cause,
        lines: lines.map(({ account, creatorId, amount }) => ({
          account,
          isOfCreator: creatorId !== null,
          amount,
        })),
      },
    ]
  })
}

/** Whether a charge has an entry of a cause. */
export async function hasEntry(db: Db, cause: LedgerCause, chargeId: string): Promise<boolean> {
  // Both columns: the index begins with the cause, and the ledger grows for years.
  const rows = await db
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.cause, cause), eq(ledgerEntries.chargeId, chargeId)))
  return rows.length > 0
}

/** The balance of each account in yen, positive for a debit; accounts without lines are left out. */
export async function balances(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .select({ account: ledgerLines.account, sum: sql<string>`sum(${ledgerLines.amount})` })
    .from(ledgerLines)
    .groupBy(ledgerLines.account)
  return new Map(rows.map((row) => [row.account, Number(row.sum)]))
}

/** The balance of one account in yen, positive for a debit. */
export async function balanceOf(db: Db, account: string): Promise<number> {
  const rows = await db
    .select({ sum: sql<string>`coalesce(sum(${ledgerLines.amount}), 0)` })
    .from(ledgerLines)
    .where(eq(ledgerLines.account, account))
  return Number(rows[0]?.sum ?? 0)
}

/** When the first entry was booked, ms since 1970; undefined while the ledger is empty. */
export async function firstEntryAt(db: Db): Promise<number | undefined> {
  const rows = await db.select({ at: min(ledgerEntries.at) }).from(ledgerEntries)
  return rows[0]?.at?.getTime()
}
