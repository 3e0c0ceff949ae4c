// Closes days of the ledger: stores the sums of their entries.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { ledgerClosedDays } from '#server/store/tables/ledger.ts'
import { entrySums } from './sums.ts'

/** The latest closed day, and the day of the first entry, `YYYY-MM-DD` in Asia/Tokyo; null without one. */
export async function closedDays(
  db: Db,
): Promise<{ readonly last: string | null; readonly first: string | null }> {
  const { rows } = (await db.execute(sql`select (select max(day)::text from ledger_closed_days) as last,
    (select (min(at) at time zone 'Asia/Tokyo')::date::text from ledger_entries) as first`)) as {
    rows: { last: string | null; first: string | null }[]
  }
  return rows[0] ?? { last: null, first: null }
}

/**
 * Stores the sums of a day. Transactions that are adding entries may be of this day, so it waits for none of them: a
 * transaction that waits for such a lock could wait for itself.
 * @param day `YYYY-MM-DD` in Asia/Tokyo, not before the latest closed one
 * @returns false when it is closed already
 * @throws a database error with the code 55P03 while an entry is being added
 */
export async function closeDay(tx: Db, day: string, now: number): Promise<boolean> {
  await tx.execute(sql`lock table ledger_entries in share mode nowait`)
  const added = await tx
    .insert(ledgerClosedDays)
    .values({ day, closedAt: new Date(now) })
    .onConflictDoNothing()
    .returning({ day: ledgerClosedDays.day })
  if (added.length === 0) return false
  const start = sql`${day}::date::timestamp at time zone 'Asia/Tokyo'`
  const end = sql`(${day}::date + 1)::timestamp at time zone 'Asia/Tokyo'`
  const which = sql`e.creator_id is not null and e.at >= ${start} and e.at < ${end}`
  await tx.execute(sql`insert into ledger_days
      (creator_id, day, cause, kind, item_id, count, gross, fee, fee_tax, net)
    select creator_id, day, cause, kind, item_id, count, gross, fee, fee_tax, net from (${entrySums(which)}) s`)
  return true
}
