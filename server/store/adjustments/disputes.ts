// Disputes of charges: adding, deciding and listing them.
import { asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { disputes } from '#server/store/tables/adjustments.ts'

export type DisputeRow = typeof disputes.$inferSelect

/** Adds a dispute. @returns false when its id is taken, or the payment has an open one */
export async function addDispute(tx: Db, dispute: DisputeRow): Promise<boolean> {
  const added = await tx.insert(disputes).values(dispute).onConflictDoNothing().returning({ id: disputes.id })
  return added.length === 1
}

export async function findDispute(db: Db, id: string): Promise<DisputeRow | undefined> {
  return (await db.select().from(disputes).where(eq(disputes.id, id)))[0]
}

/** Reads a dispute and locks it until the end of the transaction. */
export async function lockDispute(tx: Db, id: string): Promise<DisputeRow | undefined> {
  return (await tx.select().from(disputes).where(eq(disputes.id, id)).for('update'))[0]
}

export async function setDispute(
  tx: Db,
  id: string,
  change: Pick<DisputeRow, 'state' | 'decidedAt'>,
): Promise<void> {
  await tx.update(disputes).set(change).where(eq(disputes.id, id))
}

/** Disputes of payments, oldest first. */
export function listDisputesOf(db: Db, paymentIds: readonly string[]): Promise<DisputeRow[]> {
  if (paymentIds.length === 0) return Promise.resolve([])
  return db
    .select()
    .from(disputes)
    .where(inArray(disputes.paymentId, [...paymentIds]))
    .orderBy(asc(disputes.openedAt), asc(disputes.id))
}
