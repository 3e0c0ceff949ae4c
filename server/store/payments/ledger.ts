// The ledger: adding entries, and the sums of its accounts.
import { and, eq, sql } from 'drizzle-orm'
import { newId } from '#contract/ids.ts'
import type { Db } from '#server/store/database.ts'
import { ledgerEntries, ledgerLines } from '#server/store/tables/ledger.ts'

export type LedgerCause = (typeof ledgerEntries.$inferSelect)['cause']

interface NewLine {
  readonly account: string
  readonly creatorId: string | null
  /** Yen, positive for a debit. */
  readonly amount: number
}

/**
 * Adds an entry with its lines, once for each cause and charge. The database refuses lines that do not add up to zero at
 * the commit.
 * @param chargeId id of the charge's row
 * @returns false when the entry exists
 */
export async function addEntryOnce(
  tx: Db,
  cause: LedgerCause,
  chargeId: string,
  lines: readonly NewLine[],
  now: number,
): Promise<boolean> {
  const id = newId()
  const added = await tx
    .insert(ledgerEntries)
    .values({ id, cause, chargeId, at: new Date(now) })
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
