// Receipts: issuing them with numbers without gaps, and reading them.
import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { receipts, receiptYears } from '#server/store/tables/payments.ts'

export type ReceiptRow = typeof receipts.$inferSelect

export async function findReceipt(db: Db, paymentId: string): Promise<ReceiptRow | undefined> {
  return (await db.select().from(receipts).where(eq(receipts.paymentId, paymentId)))[0]
}

/**
 * Issues the receipt of a payment, or issues it again with the same number. Inside a transaction that has locked the
 * payment.
 * @param year of the first issue, for a new number
 */
export async function addIssue(
  tx: Db,
  { paymentId, addressee }: { readonly paymentId: string; readonly addressee: string },
  year: number,
  now: number,
): Promise<ReceiptRow> {
  const lastIssuedAt = new Date(now)
  const [again] = await tx
    .update(receipts)
    .set({ addressee, lastIssuedAt, issues: sql`${receipts.issues} + 1` })
    .where(eq(receipts.paymentId, paymentId))
    .returning()
  if (again) return again
  const number = await nextNumber(tx, year)
  const first = { paymentId, number, addressee, issuedAt: lastIssuedAt, lastIssuedAt, issues: 1 }
  await tx.insert(receipts).values(first)
  return first
}

/** The next number of a year. The row is locked until the commit, so that a rollback leaves no gap. */
async function nextNumber(tx: Db, year: number): Promise<string> {
  const rows = await tx
    .insert(receiptYears)
    .values({ year, last: 1 })
    .onConflictDoUpdate({ target: receiptYears.year, set: { last: sql`${receiptYears.last} + 1` } })
    .returning({ last: receiptYears.last })
  return `R-${year}-${String(rows[0]?.last).padStart(6, '0')}`
}
