// Single ledger entries of a creator, with what was sold.
import { type SQL, sql } from 'drizzle-orm'
import { entryCauses } from '#contract/sales/sales.ts'
import type { SoldKind } from '#contract/sales/sold-kinds.ts'
import type { Db } from '#server/store/database.ts'
import type { LedgerCause } from '#server/store/payments/ledger.ts'
import { momentOf } from '#server/store/statement.ts'
import { type Days, entryShares } from './sums.ts'

export interface EntryRow {
  readonly id: string
  readonly at: Date
  readonly cause: LedgerCause
  readonly kind: SoldKind | null
  readonly itemId: string | null
  /** The text of a post, or the name of a plan; null when it was deleted. */
  readonly title: string | null
  /** Null for an entry that is not about a sale. */
  readonly paymentId: string | null
  /** Yen, negative for what was taken back. */
  readonly gross: number
  readonly fee: number
  readonly feeTax: number
  readonly net: number
}

export interface EntryFilter {
  readonly within: Days | undefined
  readonly kind: SoldKind | undefined
  /** A post or a plan. */
  readonly itemId: string | undefined
}

interface Page {
  /** The place of the last row of the page before. */
  readonly after: { readonly at: Date; readonly id: string } | undefined
  readonly order: 'newest' | 'oldest'
  readonly limit: number
}

/** What an entry is about, with the payment `p` of its charge or its complimentary membership `g`. */
const item = {
  kind: sql`coalesce(p.kind, case when g.id is not null then 'plan' end)`,
  id: sql`coalesce(p.post_id, p.plan_id, g.plan_id)`,
} as const

/** Entries of a creator that change the sales, in the order of their time. */
export async function listEntries(
  db: Db,
  creatorId: string,
  filter: EntryFilter,
  { after, order, limit }: Page,
): Promise<EntryRow[]> {
  const isNewest = order === 'newest'
  const place = after && sql`(${momentOf(after.at)}::timestamptz, ${after.id}::uuid)`
  const conditions: (SQL | undefined)[] = [
    sql`e.creator_id = ${creatorId}::uuid`,
    sql`e.cause in ${[...entryCauses]}`,
    filter.within && sql`e.at >= ${momentOf(filter.within.from)}::timestamptz`,
    filter.within && sql`e.at < ${momentOf(filter.within.to)}::timestamptz`,
    filter.kind && sql`${item.kind} = ${filter.kind}`,
    filter.itemId === undefined ? undefined : sql`${item.id} = ${filter.itemId}::uuid`,
    place && (isNewest ? sql`(e.at, e.id) < ${place}` : sql`(e.at, e.id) > ${place}`),
  ]
  const direction = sql.raw(isNewest ? 'desc' : 'asc')
  const { rows } = (await db.execute(sql`
    select e.id, e.at, e.cause, ${item.kind} as kind, ${item.id} as "itemId", p.id as "paymentId",
      case ${item.kind} when 'plan' then (select name from plans where id = coalesce(p.plan_id, g.plan_id))
        else (select coalesce(nullif(title, ''), left(content, 200)) from posts where id = p.post_id and deleted_at is null) end as title,
      l.gross::float8 as gross, l.fee::float8 as fee, l.fee_tax::float8 as "feeTax", l.net::float8 as net
    from (select e.id, e.at, e.cause, e.charge_id, e.complimentary_id from ledger_entries e
      left join charges c on c.id = e.charge_id left join payments p on p.id = c.payment_id
      left join complimentary_memberships g on g.id = e.complimentary_id
      where ${sql.join(
        conditions.filter((it) => it !== undefined),
        sql` and `,
      )}
      order by e.at ${direction}, e.id ${direction} limit ${sql.raw(String(limit))}) e
    join lateral (${entryShares}) l on true
    left join charges c on c.id = e.charge_id
    left join payments p on p.id = c.payment_id
    left join complimentary_memberships g on g.id = e.complimentary_id
    order by e.at ${direction}, e.id ${direction}`)) as { rows: (EntryRow & { at: string })[] }
  return rows.map((row) => ({ ...row, at: new Date(row.at) }))
}
