// Settlements of the payment provider: adding, reversing and listing them.
import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { settlements } from '#server/store/tables/adjustments.ts'

export type SettlementRow = typeof settlements.$inferSelect

/** Lets no other transaction add or reverse a settlement until the end of this one. */
export async function lockSettlements(tx: Db): Promise<void> {
  await tx.execute(sql`lock table settlements in share row exclusive mode`)
}

export async function addSettlement(
  tx: Db,
  row: Omit<SettlementRow, 'reversedAt' | 'reversalReason' | 'reversedBy'>,
): Promise<void> {
  await tx.insert(settlements).values(row)
}

export async function findSettlement(db: Db, id: string): Promise<SettlementRow | undefined> {
  return (await db.select().from(settlements).where(eq(settlements.id, id)))[0]
}

export async function setReversal(
  tx: Db,
  id: string,
  { reason, actorId, at }: { readonly reason: string; readonly actorId: string; readonly at: number },
): Promise<void> {
  await tx
    .update(settlements)
    .set({ reversedAt: new Date(at), reversalReason: reason, reversedBy: actorId })
    .where(eq(settlements.id, id))
}

/** The settlements that were recorded last, newest first. */
export function listSettlements(db: Db, most: number): Promise<SettlementRow[]> {
  return db.select().from(settlements).orderBy(desc(settlements.recordedAt), desc(settlements.id)).limit(most)
}
