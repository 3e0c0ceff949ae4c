// Charges that paid for nothing, with the time at which their money was returned.
import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { ledgerEntries } from '#server/store/tables/ledger.ts'
import { charges, payments } from '#server/store/tables/payments.ts'
import { users } from '#server/store/tables/people.ts'

/** The booking that the provider has returned a charge. */
const isReturned = and(
  eq(ledgerEntries.chargeId, charges.id),
  eq(ledgerEntries.cause, 'refund_paid'),
  isNull(ledgerEntries.refundId),
)

const columns = {
  /** Whole yen. */
  amount: charges.amount,
  reason: charges.surplusReason,
  chargedAt: charges.chargedAt,
  returnedAt: ledgerEntries.at,
}

/** Those of a payment, the newest first. */
export const listSurplusOf = (db: Db, paymentId: string) =>
  db
    .select(columns)
    .from(charges)
    .leftJoin(ledgerEntries, isReturned)
    .where(and(eq(charges.paymentId, paymentId), eq(charges.isSurplus, true)))
    .orderBy(desc(charges.chargedAt), desc(charges.id))

/** Those of a buyer, the newest first. */
export const listSurplusOfBuyer = (db: Db, userId: string, most: number) =>
  db
    .select({
      ...columns,
      id: charges.id,
      paymentId: charges.paymentId,
      kind: payments.kind,
      creatorId: payments.creatorId,
      creatorName: users.name,
    })
    .from(payments)
    .innerJoin(charges, and(eq(charges.paymentId, payments.id), eq(charges.isSurplus, true)))
    .innerJoin(users, eq(users.id, payments.creatorId))
    .leftJoin(ledgerEntries, isReturned)
    .where(eq(payments.userId, userId))
    .orderBy(desc(charges.chargedAt), desc(charges.id))
    .limit(most)
