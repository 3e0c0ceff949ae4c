// Refunds of payments: adding them, and what is not returned yet.
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { refunds } from '#server/store/tables/adjustments.ts'
import { ledgerEntries } from '#server/store/tables/ledger.ts'

export type RefundRow = typeof refunds.$inferSelect

/** Adds a refund. @returns false when its id is taken */
export async function addRefund(tx: Db, refund: RefundRow): Promise<boolean> {
  const added = await tx.insert(refunds).values(refund).onConflictDoNothing().returning({ id: refunds.id })
  return added.length === 1
}

export async function findRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  return (await db.select().from(refunds).where(eq(refunds.id, id)))[0]
}

const isReturned = sql`exists (select 1 from ${ledgerEntries}
  where ${ledgerEntries.refundId} = ${refunds.id} and ${ledgerEntries.cause} = 'refund_paid')`

/** Refunds of a charge that the provider has not returned yet, oldest first. */
export function listUnreturned(db: Db, chargeId: string): Promise<RefundRow[]> {
  return db
    .select()
    .from(refunds)
    .where(and(eq(refunds.chargeId, chargeId), sql`not ${isReturned}`))
    .orderBy(asc(refunds.createdAt), asc(refunds.id))
}

/** All that is refunded of a charge, yen. */
export async function sumRefunds(db: Db, chargeId: string): Promise<number> {
  const rows = await db
    .select({ sum: sql<string>`coalesce(sum(${refunds.amount}), 0)` })
    .from(refunds)
    .where(eq(refunds.chargeId, chargeId))
  return Number(rows[0]?.sum ?? 0)
}

/** Refunds of payments, oldest first. */
export function listRefundsOf(
  db: Db,
  paymentIds: readonly string[],
): Promise<(RefundRow & { readonly isReturned: boolean })[]> {
  if (paymentIds.length === 0) return Promise.resolve([])
  return db
    .select({
      id: refunds.id,
      paymentId: refunds.paymentId,
      chargeId: refunds.chargeId,
      amount: refunds.amount,
      reason: refunds.reason,
      actorId: refunds.actorId,
      createdAt: refunds.createdAt,
      isReturned: sql<boolean>`${isReturned}`,
    })
    .from(refunds)
    .where(inArray(refunds.paymentId, [...paymentIds]))
    .orderBy(asc(refunds.createdAt), asc(refunds.id))
}
