// Empties the reasons that admins wrote about a person's payments and memberships.
import { eq, inArray, or } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import {
  balanceClearings,
  complimentary,
  disputes,
  feeRates,
  refunds,
} from '#server/store/tables/adjustments.ts'
import { payments } from '#server/store/tables/payments.ts'

/** Amounts and moments stay, as accounting records; rates of fees are stored with each payment. */
export async function emptyReasons(tx: Db, userId: string): Promise<void> {
  const own = tx
    .select({ id: payments.id })
    .from(payments)
    .where(or(eq(payments.userId, userId), eq(payments.creatorId, userId)))
  await tx.update(refunds).set({ reason: '' }).where(inArray(refunds.paymentId, own))
  await tx.update(disputes).set({ reason: '' }).where(inArray(disputes.paymentId, own))
  await tx
    .update(complimentary)
    .set({ reason: '' })
    .where(or(eq(complimentary.userId, userId), eq(complimentary.creatorId, userId)))
  await tx.update(balanceClearings).set({ reason: '' }).where(eq(balanceClearings.creatorId, userId))
  await tx.delete(feeRates).where(eq(feeRates.creatorId, userId))
}
