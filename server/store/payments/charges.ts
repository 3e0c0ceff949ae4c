// Charges: money that the provider took, each recorded once.
import { and, count, eq, gte, inArray, lt, ne } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { charges, payments } from '#server/store/tables/payments.ts'

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

/** Charges of some providers by which a payment is paid that is not refunded. */
const paidBy = (providers: readonly string[]) =>
  and(
    inArray(charges.provider, [...providers]),
    eq(charges.chargeRef, payments.chargeRef),
    ne(payments.state, 'refunded'),
  )

/** How many payments that are not refunded were paid by charges of some providers. */
export async function countPaidBy(db: Db, providers: readonly string[]): Promise<number> {
  const rows = await db
    .select({ paid: count() })
    .from(charges)
    .innerJoin(payments, eq(payments.id, charges.paymentId))
    .where(paidBy(providers))
  return Number(rows[0]?.paid ?? 0)
}

/** Those of the creators to whom such payments are owed. */
export async function creatorsPaidBy(
  db: Db,
  creatorIds: readonly string[],
  providers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectDistinct({ id: payments.creatorId })
    .from(charges)
    .innerJoin(payments, eq(payments.id, charges.paymentId))
    .where(and(inArray(payments.creatorId, [...creatorIds]), paidBy(providers)))
  return new Set(rows.map((it) => it.id))
}
