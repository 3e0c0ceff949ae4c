// Balances that no payout pays by itself, also of deleted accounts.
import { eq, type SQL, sql } from 'drizzle-orm'
import type { BalanceReason } from '#contract/payouts/balance-names.ts'
import type { Db } from '#server/store/database.ts'
import { balanceClearings } from '#server/store/tables/adjustments.ts'
import { departedPayees } from '#server/store/tables/bank-accounts.ts'
import { leftOfMonth } from './old-balances.ts'

export type ClearingRow = typeof balanceClearings.$inferSelect

export interface StrandedRow {
  readonly creatorId: string
  /** Yen; `old` is the part that is older than the month of the query. */
  readonly total: number
  readonly old: number
  readonly reasons: readonly BalanceReason[]
}

/** The place after a row in the list. */
export interface Place {
  readonly total: number
  readonly creatorId: string
}

/** Reasons by their conditions on the rows below, in the order of their names. */
const conditions: Record<BalanceReason, SQL> = {
  left: sql`f.deleted_at is not null`,
  suspended: sql`(f.suspended_at is not null or f.departed_suspended)`,
  negative: sql`f.total < 0`,
  no_account: sql`(f.total > 0 and f.account_at is null)`,
  returned: sql`(f.total > 0 and f.state = 'returned' and f.returned_at >= f.account_at
    and (f.released_at is null or f.released_at < f.returned_at))`,
  cancelled: sql`(f.total > 0 and f.deleted_at is not null and f.state = 'cancelled' and f.requested_at >= f.deleted_at
    and (f.released_at is null or f.released_at < f.requested_at))`,
  old: sql`f.old > 0`,
}

const reasons = sql`array_remove(array[${sql.join(
  Object.entries(conditions).map(([name, is]) => sql`case when ${is} then ${sql.raw(`'${name}'`)} end`),
  sql`, `,
)}], null)`

/**
 * Balances with a reason, the largest first.
 * @param month `YYYY-MM`
 */
export async function listStranded(
  db: Db,
  month: string,
  after: Place | undefined,
  limit: number,
): Promise<StrandedRow[]> {
  const place = after
    ? sql`(f.total < ${after.total} or (f.total = ${after.total} and f.creator_id > ${after.creatorId}::uuid))`
    : sql`true`
  const { rows } = (await db.execute(sql`
    with totals as (
      select creator_id, -sum(amount)::float8 as total from ledger_lines
      where account = 'creator_payable' group by creator_id having sum(amount) <> 0),
    facts as (
      select t.creator_id, t.total, u.deleted_at, u.suspended_at, b.changed_at as account_at, d.released_at,
        coalesce(d.is_suspended and d.released_at is null, false) as departed_suspended, p.state, p.requested_at, p.returned_at,
        greatest(0, least(t.total, coalesce(s.yen, 0)))::float8 as old
      from totals t join users u on u.id = t.creator_id
      left join bank_accounts b on b.user_id = t.creator_id and b.removed_at is null
      left join departed_payees d on d.user_id = t.creator_id
      left join lateral (select state, requested_at, returned_at from payouts where creator_id = t.creator_id
        order by requested_at desc, id desc limit 1) p on true
      left join lateral (${leftOfMonth(sql`t.creator_id`, month)}) s on true)
    select f.creator_id as "creatorId", f.total, f.old, ${reasons} as reasons
    from facts f where cardinality(${reasons}) > 0 and ${place}
    order by f.total desc, f.creator_id limit ${sql.raw(String(limit))}`)) as { rows: StrandedRow[] }
  return rows
}

/**
 * Deleted people with a balance, or with a task about one, by their ids. A deletion that is under way is left out.
 * @param after the id of the last one before; '' for the first
 */
export async function listDeparted(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = (await db.execute(sql`
    select u.id from users u
    where u.deleted_at is not null and ${after === '' ? sql`true` : sql`u.id > ${after}::uuid`}
      and not exists (select 1 from deletions d where d.user_id = u.id)
      and (coalesce((select sum(l.amount) from ledger_lines l
          where l.account = 'creator_payable' and l.creator_id = u.id), 0) <> 0
        or u.id in (select (details->>'creator')::uuid from operator_tasks where kind = 'clear_balance' and done_at is null))
    order by u.id limit ${sql.raw(String(limit))}`)) as { rows: { id: string }[] }
  return rows.map((row) => row.id)
}

/** Adds a clearing. @returns false when it exists */
export async function addClearing(tx: Db, row: ClearingRow): Promise<boolean> {
  const added = await tx
    .insert(balanceClearings)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: balanceClearings.id })
  return added.length > 0
}

/** Whether a clearing with this id is recorded. */
export const hasClearing = async (db: Db, id: string): Promise<boolean> =>
  (await db.$count(balanceClearings, eq(balanceClearings.id, id))) > 0

/** Keeps what payouts to a person need after the erasure. */
export async function addDeparted(tx: Db, row: typeof departedPayees.$inferInsert): Promise<void> {
  await tx.insert(departedPayees).values(row).onConflictDoNothing()
}

/** Has the last payout requested all the same, also of a person who was erased by a version that kept nothing. */
export async function releaseDeparted(tx: Db, userId: string, now: number): Promise<void> {
  const at = new Date(now)
  await tx
    .insert(departedPayees)
    .values({ userId, sealed: '', isSuspended: false, departedAt: at, releasedAt: at })
    .onConflictDoUpdate({ target: departedPayees.userId, set: { releasedAt: at } })
}
