// The ledger: adding entries, and the sums of its accounts.
import { and, eq, sql } from 'drizzle-orm'
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

/** An entry is about one row of a charge or of a payout. */
export type NewEntry = ({ readonly chargeId: string } | { readonly payoutId: string }) & {
  readonly cause: LedgerCause
  /** Whose sales or payouts it changes; null when it is between the platform and a buyer. */
  readonly creatorId: string | null
  readonly lines: readonly NewLine[]
}

/**
 * Adds an entry with its lines, once for each cause and charge or payout. The database refuses lines that do not add up to zero at
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
      chargeId: 'chargeId' in entry ? entry.chargeId : null,
      payoutId: 'payoutId' in entry ? entry.payoutId : null,
      creatorId,
      at: sql`greatest(${new Date(now).toISOString()}::timestamptz, (${openFrom}))`,
    })
    .onConflictDoNothing()
    .returning({ id: ledgerEntries.id })
  if (added.length === 0) return false
  await tx.insert(ledgerLines).values(lines.map((it) => ({ ...it, id: newId(), entryId: id })))
  return true
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
