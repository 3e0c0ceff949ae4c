// The part of balances that is older than a month.
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'

/**
 * For a lateral join: `yen` is what a creator's balance had at the end of a month, less payouts since, which take the oldest yen first. It
 * is negative or without a row when nothing of that time is left, and may be more than the whole balance after refunds.
 * @param month `YYYY-MM`
 */
export const leftOfMonth = (creator: SQL, month: string): SQL => sql`
  select m.closing - coalesce((select sum(o.amount) from payouts o where o.creator_id = ${creator}
      and o.month > m.month and o.state not in ('returned', 'cancelled')), 0) as yen
  from statements m where m.creator_id = ${creator} and m.month <= ${month}
  order by m.month desc limit 1`

/** Yen of a person's balance that are of a month or of months before. */
export async function oldBalanceOf(db: Db, creatorId: string, month: string): Promise<number> {
  const id = sql`${creatorId}::uuid`
  const { rows } = (await db.execute(sql`
    select greatest(0, least(s.yen, (select -sum(amount) from ledger_lines
      where account = 'creator_payable' and creator_id = ${id})))::float8 as old
    from (${leftOfMonth(id, month)}) s`)) as { rows: { old: number | null }[] }
  return rows[0]?.old ?? 0
}

/**
 * People who are present with a balance of a month or of months before, and all with an open task about one, by their ids. Refunds since
 * may have taken the balance.
 * @param after the id of the last one before; '' for the first
 */
export async function listOldBalances(
  db: Db,
  month: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = (await db.execute(sql`
    select it.id from (
      select u.id from (select distinct creator_id as id from statements where month <= ${month}) u
        join lateral (${leftOfMonth(sql`u.id`, month)}) s on s.yen > 0
        where not exists (select 1 from users gone where gone.id = u.id and gone.deleted_at is not null)
      union select (details->>'creator')::uuid from operator_tasks where kind = 'old_balance' and done_at is null) it
    where ${after === '' ? sql`true` : sql`it.id > ${after}::uuid`}
    order by it.id limit ${sql.raw(String(limit))}`)) as { rows: { id: string }[] }
  return rows.map((row) => row.id)
}
