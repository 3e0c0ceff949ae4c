// Fee rates of single creators.
import { and, asc, desc, eq, gt, lte } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { feeRates } from '#server/store/tables/adjustments.ts'

export type FeeRateRow = typeof feeRates.$inferSelect

/** Adds a rate. @returns false when its id is taken */
export async function addFeeRate(tx: Db, row: FeeRateRow): Promise<boolean> {
  const added = await tx.insert(feeRates).values(row).onConflictDoNothing().returning({ id: feeRates.id })
  return added.length === 1
}

/** The rate of a creator on a day, basis points; undefined for the usual one. @param day `YYYY-MM-DD` in Asia/Tokyo */
export async function feeRateOn(db: Db, creatorId: string, day: string): Promise<number | undefined> {
  const rows = await db
    .select({ rate: feeRates.rate })
    .from(feeRates)
    .where(and(eq(feeRates.creatorId, creatorId), lte(feeRates.firstDay, day)))
    .orderBy(desc(feeRates.firstDay), desc(feeRates.createdAt), desc(feeRates.id))
    .limit(1)
  return rows[0]?.rate
}

/** The rate that begins next after a day; undefined when none is announced. @param day `YYYY-MM-DD` in Asia/Tokyo */
export async function nextFeeRate(
  db: Db,
  creatorId: string,
  day: string,
): Promise<Pick<FeeRateRow, 'rate' | 'firstDay'> | undefined> {
  const rows = await db
    .select({ rate: feeRates.rate, firstDay: feeRates.firstDay })
    .from(feeRates)
    .where(and(eq(feeRates.creatorId, creatorId), gt(feeRates.firstDay, day)))
    .orderBy(asc(feeRates.firstDay), desc(feeRates.createdAt), desc(feeRates.id))
    .limit(1)
  return rows[0]
}

/** The latest 100 rates of a creator, those that begin last first. */
export function listFeeRates(db: Db, creatorId: string): Promise<FeeRateRow[]> {
  return db
    .select()
    .from(feeRates)
    .where(eq(feeRates.creatorId, creatorId))
    .orderBy(desc(feeRates.firstDay), desc(feeRates.createdAt), desc(feeRates.id))
    .limit(100)
}

export async function findFeeRate(db: Db, id: string): Promise<FeeRateRow | undefined> {
  return (await db.select().from(feeRates).where(eq(feeRates.id, id)))[0]
}
