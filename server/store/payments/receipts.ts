// Receipts: issuing them with numbers without gaps, and reading them with all issues.
import { and, asc, eq, sql } from 'drizzle-orm'
import { newId } from '#contract/ids.ts'
import type { Db } from '#server/store/database.ts'
import { payments, receipts, receiptYears, receiptIssues } from '#server/store/tables/payments.ts'

export type ReceiptRow = typeof receipts.$inferSelect
export type IssueRow = typeof receiptIssues.$inferSelect

export async function findReceipt(db: Db, paymentId: string): Promise<ReceiptRow | undefined> {
  return (await db.select().from(receipts).where(eq(receipts.paymentId, paymentId)))[0]
}

/** Every stored issue of a payment's receipt, the first one first. */
export function listIssues(db: Db, paymentId: string): Promise<IssueRow[]> {
  return db
    .select()
    .from(receiptIssues)
    .where(eq(receiptIssues.paymentId, paymentId))
    .orderBy(asc(receiptIssues.issue))
}

/** Every stored issue of a buyer's receipts, in the order of the issues. */
export async function listIssuesOfBuyer(db: Db, buyerId: string): Promise<IssueRow[]> {
  const rows = await db
    .select({ issue: receiptIssues })
    .from(receiptIssues)
    .innerJoin(payments, eq(payments.id, receiptIssues.paymentId))
    .where(eq(payments.userId, buyerId))
    .orderBy(asc(receiptIssues.issuedAt), asc(receiptIssues.issue))
  return rows.map((it) => it.issue)
}

export interface NewIssue {
  readonly paymentId: string
  readonly addressee: string
  /** Yen. */
  readonly amount: number
  readonly refundedAmount: number
  /** @returns the content, encrypted for the row of this id */
  readonly seal: (id: string) => string
}

/**
 * Adds an issue of a payment's receipt: the first one gets the next number, the others have the same. Inside a transaction that has
 * locked the payment.
 * @param year of the first issue, for a new number
 */
export async function addIssue(
  tx: Db,
  { paymentId, addressee, seal, ...amounts }: NewIssue,
  year: number,
  now: number,
): Promise<ReceiptRow> {
  const lastIssuedAt = new Date(now)
  const earlier = await findReceipt(tx, paymentId)
  const issues = (earlier?.issues ?? 0) + 1
  const id = newId()
  // First: for an issue that is not here the trigger of `receipts` would add one, as for a server of the version before.
  await tx
    .insert(receiptIssues)
    .values({ id, paymentId, issue: issues, issuedAt: lastIssuedAt, sealed: seal(id), ...amounts })
  // The addressee is stored for servers of the version before.
  const latest = { addressee, lastIssuedAt, issues }
  if (earlier) {
    await tx.update(receipts).set(latest).where(eq(receipts.paymentId, paymentId))
    return { ...earlier, ...latest }
  }
  const first = { paymentId, number: await nextNumber(tx, year), issuedAt: lastIssuedAt, ...latest }
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

/** Adds the latest issue of receipts from before issues were stored. @returns how many */
export async function addEarlierIssues(db: Db, limit: number): Promise<number> {
  const { rows } = (await db.execute(sql`
    insert into receipt_issues (payment_id, issue, amount, refunded_amount, issued_at, addressee)
    select r.payment_id, r.issues, p.amount, p.refunded_amount, r.last_issued_at, r.addressee
    from receipts r join payments p on p.id = r.payment_id
    where not exists (select 1 from receipt_issues i where i.payment_id = r.payment_id and i.issue = r.issues)
    limit ${limit} on conflict (payment_id, issue) do nothing returning 1`)) as { rows: unknown[] }
  return rows.length
}

/** Issues that a server of the version before has stored, with the creators' names. */
export async function listUnsealed(
  db: Db,
  limit: number,
): Promise<{ readonly id: string; readonly addressee: string; readonly creator: string }[]> {
  const { rows } = (await db.execute(sql`
    select i.id, i.addressee, c.name as creator from receipt_issues i
    join payments p on p.id = i.payment_id join users c on c.id = p.creator_id
    where i.addressee <> '' order by i.id limit ${limit}`)) as {
    rows: { id: string; addressee: string; creator: string }[]
  }
  return rows
}

export async function setSealed(
  db: Db,
  { id, addressee }: { readonly id: string; readonly addressee: string },
  sealed: string,
): Promise<void> {
  await db
    .update(receiptIssues)
    .set({ sealed, addressee: '' })
    .where(and(eq(receiptIssues.id, id), eq(receiptIssues.addressee, addressee)))
}
