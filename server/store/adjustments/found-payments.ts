// Finds payments by the numbers that people and the provider name them by.
import { and, desc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { charges, payments, receipts } from '#server/store/tables/payments.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The id of the payment with this id, provider's number of a charge, or number of a receipt. */
export async function findPaymentId(db: Db, text: string): Promise<string | undefined> {
  if (UUID.test(text)) {
    const rows = await db
      .select({ id: payments.id })
      .from(payments)
      .where(eq(payments.id, text.toLowerCase()))
    return rows[0]?.id
  }
  const charged = await db
    .select({ id: charges.paymentId })
    .from(charges)
    .where(eq(charges.chargeRef, text))
    .limit(1)
  if (charged[0]) return charged[0].id
  const receipted = await db
    .select({ id: receipts.paymentId })
    .from(receipts)
    .where(eq(receipts.number, text))
  return receipted[0]?.id
}

/** Ids of the last purchases of a person, newest first. */
export async function listBoughtBy(db: Db, userId: string, most: number): Promise<string[]> {
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.userId, userId),
        inArray(payments.state, ['paid', 'refunded', 'disputed']),
        isNotNull(payments.paidAt),
      ),
    )
    .orderBy(desc(payments.paidAt), desc(payments.id))
    .limit(most)
  return rows.map((row) => row.id)
}
