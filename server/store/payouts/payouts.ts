// Payouts: requests, states, and lists of them.
import { and, asc, desc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { PayoutList } from '#contract/payouts/payout-lists.ts'
import type { PayoutState } from '#contract/payouts/payouts.ts'
import type { Db } from '#server/store/database.ts'
import { bankAccounts } from '#server/store/tables/bank-accounts.ts'
import { payouts, payoutSettings } from '#server/store/tables/payouts.ts'
import { users } from '#server/store/tables/people.ts'

export type PayoutRow = typeof payouts.$inferSelect

/**
 * Adds a payout.
 * @returns false when it exists, or the creator has one of this month that was neither returned nor cancelled
 */
export async function addPayout(tx: Db, row: typeof payouts.$inferInsert): Promise<boolean> {
  const added = await tx.insert(payouts).values(row).onConflictDoNothing().returning({ id: payouts.id })
  return added.length > 0
}

export async function findPayout(db: Db, id: string): Promise<PayoutRow | undefined> {
  return (await db.select().from(payouts).where(eq(payouts.id, id)))[0]
}

export async function findPayouts(db: Db, ids: readonly string[]): Promise<PayoutRow[]> {
  if (ids.length === 0) return []
  return db
    .select()
    .from(payouts)
    .where(inArray(payouts.id, [...ids]))
}

/** The payout, locked until the end of the transaction. */
export async function lockPayout(tx: Db, id: string): Promise<PayoutRow | undefined> {
  return (await tx.select().from(payouts).where(eq(payouts.id, id)).for('update'))[0]
}

/** The payouts with these numbers in transfer files. */
export async function findPayoutsByNumber(db: Db, numbers: readonly number[]): Promise<PayoutRow[]> {
  if (numbers.length === 0) return []
  return db
    .select()
    .from(payouts)
    .where(inArray(payouts.number, [...numbers]))
}

export async function setPayout(
  tx: Db,
  id: string,
  change: Partial<Omit<PayoutRow, 'id' | 'number'>>,
): Promise<void> {
  await tx.update(payouts).set(change).where(eq(payouts.id, id))
}

/** A creator's payouts, the newest first. */
export function listPayoutsOf(db: Db, creatorId: string, limit: number): Promise<PayoutRow[]> {
  return db
    .select()
    .from(payouts)
    .where(eq(payouts.creatorId, creatorId))
    .orderBy(desc(payouts.requestedAt), desc(payouts.id))
    .limit(limit)
}

/** Whether the creator has a payout of this month that was neither returned nor cancelled. */
export async function hasPayoutOf(db: Db, creatorId: string, month: string): Promise<boolean> {
  const rows = await db
    .select({ id: payouts.id })
    .from(payouts)
    .where(
      and(
        eq(payouts.creatorId, creatorId),
        eq(payouts.month, month),
        sql`${payouts.state} not in ('returned', 'cancelled')`,
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** The creator's latest payout; undefined without one. */
export const latestPayout = async (db: Db, creatorId: string): Promise<PayoutRow | undefined> =>
  (await listPayoutsOf(db, creatorId, 1))[0]

/** When the creator's latest payout came back; undefined when it did not. */
export async function lastReturned(db: Db, creatorId: string): Promise<Date | undefined> {
  const row = await latestPayout(db, creatorId)
  return row?.state === 'returned' ? (row.returnedAt ?? undefined) : undefined
}

export async function isAutomatic(db: Db, userId: string): Promise<boolean> {
  const rows = await db.select().from(payoutSettings).where(eq(payoutSettings.userId, userId))
  return rows[0]?.automatic ?? true
}

export async function setAutomatic(tx: Db, userId: string, automatic: boolean): Promise<void> {
  await tx
    .insert(payoutSettings)
    .values({ userId, automatic })
    .onConflictDoUpdate({ target: payoutSettings.userId, set: { automatic } })
}

/**
 * Creators with an account and automatic payouts who have none of this month, ordered by id.
 * @param after the id of the last one before; '' for the first
 */
export async function listForAutomatic(
  db: Db,
  month: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .select({ id: bankAccounts.userId })
    .from(bankAccounts)
    .innerJoin(users, eq(users.id, bankAccounts.userId))
    .leftJoin(payoutSettings, eq(payoutSettings.userId, bankAccounts.userId))
    .where(
      and(
        sql`${bankAccounts.removedAt} is null and ${users.deletedAt} is null and ${users.suspendedAt} is null`,
        sql`coalesce(${payoutSettings.automatic}, true)`,
        sql`not exists (select 1 from payouts p where p.creator_id = ${bankAccounts.userId}
          and p.month = ${month} and p.state not in ('returned', 'cancelled'))`,
        after === '' ? undefined : sql`${bankAccounts.userId} > ${after}::uuid`,
      ),
    )
    .orderBy(asc(bankAccounts.userId))
    .limit(limit)
  return rows.map((row) => row.id)
}

const statesOf: Record<PayoutList, readonly PayoutState[]> = {
  open: ['requested', 'held'],
  approved: ['approved'],
  exported: ['exported'],
  done: ['paid', 'returned', 'cancelled'],
}

/** Holds the payouts of a creator that no file has until the operator has decided about their tax. @returns them */
export function holdForTax(tx: Db, creatorId: string): Promise<Pick<PayoutRow, 'id' | 'amount' | 'fee'>[]> {
  return tx
    .update(payouts)
    .set({ state: 'held', taxCheck: 'waits', approvedBy: null, approvedAt: null })
    .where(
      and(
        eq(payouts.creatorId, creatorId),
        inArray(payouts.state, ['requested', 'held', 'approved']),
        isNull(payouts.taxCheck),
      ),
    )
    .returning({ id: payouts.id, amount: payouts.amount, fee: payouts.fee })
}

/** Payouts of a list for the operator: the next due first, of `done` the newest. */
export function listPayouts(db: Db, list: PayoutList, limit: number): Promise<PayoutRow[]> {
  const order =
    list === 'done'
      ? [desc(payouts.requestedAt), desc(payouts.number)]
      : [asc(payouts.dueOn), asc(payouts.number)]
  return db
    .select()
    .from(payouts)
    .where(inArray(payouts.state, statesOf[list]))
    .orderBy(...order)
    .limit(limit)
}

/** How many payouts a list has, and their yen without fees. */
export async function sumPayouts(db: Db, list: PayoutList): Promise<{ count: number; total: number }> {
  const rows = await db
    .select({
      count: sql<number>`count(*)::int`,
      total: sql<number>`coalesce(sum(${payouts.amount} - ${payouts.fee} - ${payouts.withheld}), 0)::float8`,
    })
    .from(payouts)
    .where(inArray(payouts.state, statesOf[list]))
  return rows[0] ?? { count: 0, total: 0 }
}

/** Approved payouts that are due on a day or before, by their numbers, locked until the end of the transaction. */
export function lockApproved(tx: Db, day: string, limit: number): Promise<PayoutRow[]> {
  return tx
    .select()
    .from(payouts)
    .where(and(eq(payouts.state, 'approved'), lte(payouts.dueOn, day)))
    .orderBy(asc(payouts.number))
    .limit(limit)
    .for('update')
}
