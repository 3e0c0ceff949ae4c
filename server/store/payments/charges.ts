// Charges: money that the provider took, each recorded once.
import { and, eq, gte, lt } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { charges } from '#server/store/tables/payments.ts'

export type ChargeRow = typeof charges.$inferSelect

/** Records a charge. @returns false when the provider's number is recorded already */
export async function addChargeOnce(tx: Db, charge: ChargeRow): Promise<boolean> {
  const added = await tx.insert(charges).values(charge).onConflictDoNothing().returning({ id: charges.id })
  return added.length === 1
}

export async function findCharge(db: Db, id: string): Promise<ChargeRow | undefined> {
  return (await db.select().from(charges).where(eq(charges.id, id)))[0]
}

/** The charge of a payment, by the provider's number. */
export async function findChargeOf(
  db: Db,
  { paymentId, chargeRef }: { readonly paymentId: string; readonly chargeRef: string },
): Promise<ChargeRow | undefined> {
  const rows = await db
    .select()
    .from(charges)
    .where(and(eq(charges.paymentId, paymentId), eq(charges.chargeRef, chargeRef)))
  return rows[0]
}

/** The charge with a number of the provider. */
export async function findChargeByRef(
  db: Db,
  provider: string,
  chargeRef: string,
): Promise<ChargeRow | undefined> {
  const rows = await db
    .select()
    .from(charges)
    .where(and(eq(charges.provider, provider), eq(charges.chargeRef, chargeRef)))
  return rows[0]
}

/** Charges of a provider that were recorded in a time: from a moment on, before another one. */
export function listChargesOf(
  db: Db,
  provider: string,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<Pick<ChargeRow, 'chargeRef' | 'paymentId' | 'amount'>[]> {
  const isOfTime = and(gte(charges.chargedAt, new Date(from)), lt(charges.chargedAt, new Date(until)))
  return db
    .select({ chargeRef: charges.chargeRef, paymentId: charges.paymentId, amount: charges.amount })
    .from(charges)
    .where(and(eq(charges.provider, provider), isOfTime))
    .orderBy(charges.chargedAt, charges.id)
}
