// Transfer files that were made: added, listed, voided and emptied.
import { and, asc, desc, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { payoutExports, payouts } from '#server/store/tables/payouts.ts'
import type { PayoutRow } from './payouts.ts'

export type ExportRow = typeof payoutExports.$inferSelect

/** @returns false when an export with this id exists */
export async function addExport(tx: Db, row: typeof payoutExports.$inferInsert): Promise<boolean> {
  const added = await tx
    .insert(payoutExports)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: payoutExports.id })
  return added.length > 0
}

export async function findExport(db: Db, id: string): Promise<ExportRow | undefined> {
  return (await db.select().from(payoutExports).where(eq(payoutExports.id, id)))[0]
}

/** The export, locked until the end of the transaction. */
export async function lockExport(tx: Db, id: string): Promise<ExportRow | undefined> {
  return (await tx.select().from(payoutExports).where(eq(payoutExports.id, id)).for('update'))[0]
}

/** The payouts of a file in any state, by their numbers, locked until the end of the transaction. */
export function lockPayoutsOf(tx: Db, exportId: string): Promise<PayoutRow[]> {
  return tx
    .select()
    .from(payouts)
    .where(eq(payouts.exportId, exportId))
    .orderBy(asc(payouts.number))
    .for('update')
}

/** Removes the bytes of a file that the bank has not executed. */
export async function setVoided(tx: Db, id: string, voidReason: string, now: number): Promise<void> {
  const change = { sealed: '', voidedAt: new Date(now), voidReason }
  await tx.update(payoutExports).set(change).where(eq(payoutExports.id, id))
}

export interface ListedExport extends Omit<ExportRow, 'sealed'> {
  readonly hasFile: boolean
  /** Whether none of its payouts has a result. */
  readonly isVoidable: boolean
  /** Whether each of its payouts has a result. */
  readonly isSettled: boolean
}

/** Written out: columns of a selection have no table, and both tables have an id. */
const isSettled = sql<boolean>`(voided_at is null and not exists (select 1 from payouts p
  where p.export_id = payout_exports.id and p.state = 'exported'))`
const hasNoFee = sql`not exists (select 1 from bank_fees b where b.export_id = payout_exports.id)`

/** The latest exports, and older ones whose bank fee is not recorded, without their files. @param limit of each */
export function listExports(db: Db, limit: number): Promise<ListedExport[]> {
  const { sealed, ...columns } = {
    id: payoutExports.id,
    actorId: payoutExports.actorId,
    day: payoutExports.day,
    count: payoutExports.count,
    total: payoutExports.total,
    madeAt: payoutExports.madeAt,
    leftOut: payoutExports.leftOut,
    voidedAt: payoutExports.voidedAt,
    voidReason: payoutExports.voidReason,
    sealed: payoutExports.sealed,
  }
  return db
    .select({
      ...columns,
      hasFile: sql<boolean>`${sealed} <> ''`,
      isVoidable: sql<boolean>`voided_at is null and not exists (select 1 from payouts p
        where p.export_id = payout_exports.id and p.state <> 'exported')`,
      isSettled,
    })
    .from(payoutExports)
    .where(
      sql`(${payoutExports.id} in (select id from payout_exports order by made_at desc limit ${limit})
        or ${payoutExports.id} in (select id from payout_exports where ${isSettled} and ${hasNoFee} order by made_at limit ${limit}))`,
    )
    .orderBy(desc(payoutExports.madeAt))
}

/** Empties files whose payouts all have a result, and that were made before a moment. */
export async function emptyExports(db: Db, madeBefore: number): Promise<void> {
  await db
    .update(payoutExports)
    .set({ sealed: '' })
    .where(
      and(
        sql`${payoutExports.sealed} <> ''`,
        lte(payoutExports.madeAt, new Date(madeBefore)),
        sql`not exists (select 1 from payouts p where p.export_id = ${payoutExports.id} and p.state = 'exported')`,
      ),
    )
}
