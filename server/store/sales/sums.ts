// Sums of a creator's ledger entries: stored ones of closed days, and entries since.
import { type SQL, sql } from 'drizzle-orm'
import type { SoldKind } from '#contract/sales/sold-kinds.ts'
import type { Db } from '#server/store/database.ts'
import { momentOf, statement } from '#server/store/statement.ts'
import type { LedgerCause } from '#server/store/payments/ledger.ts'

/** Sums in yen, negative for what was taken back. */
export interface Sums {
  /** Entries. */
  readonly count: number
  /** Price, tax included; 0 for entries that are not about a sale. */
  readonly gross: number
  /** Fee of the platform without its tax. */
  readonly fee: number
  readonly feeTax: number
  /** What the creator's balance gained. */
  readonly net: number
}

/** Sums of one cause and kind. */
export interface CauseSums extends Sums {
  readonly cause: LedgerCause
  /** Null for an entry that is not about a sale. */
  readonly kind: SoldKind | null
}

/** A range of time in Asia/Tokyo whose ends are the starts of days. */
export interface Days {
  /** Milliseconds since 1970. */
  readonly from: number
  /** The first moment after it, milliseconds since 1970. */
  readonly to: number
}

const inTokyo = (at: SQL) => sql`(${at} at time zone 'Asia/Tokyo')::date`

/** The first moment that is in no closed day. */
export const openFrom: SQL = sql`coalesce(
  (select (max(day) + 1)::timestamp at time zone 'Asia/Tokyo' from ledger_closed_days), '-infinity')`

/**
 * Sums of entries by creator, day, cause and what was sold.
 * @param which a condition on the entry `e`
 */
export const entrySums = (which: SQL): SQL => sql`
  select e.creator_id, ${inTokyo(sql`e.at`)} as day, e.cause, p.kind, p.item_id,
    count(*)::int as count, sum(l.gross) as gross, sum(l.fee) as fee, sum(l.fee_tax) as fee_tax, sum(l.net) as net
  from ledger_entries e
  join lateral (${entryShares}) l on true
  left join lateral (${entryItem}) p on true
  where ${which}
  group by e.creator_id, 2, e.cause, p.kind, p.item_id`

/**
 * What was sold by the entry `e`. With the limits it is looked up for each entry; without them, all charges may be read.
 */
const entryItem: SQL = sql`
  (select p.kind, coalesce(p.post_id, p.plan_id) as item_id from charges c join payments p on p.id = c.payment_id
    where c.id = e.charge_id limit 1)
  union all
  (select 'plan', g.plan_id from complimentary_memberships g where g.id = e.complimentary_id limit 1)`

/** Accounts of which the price of an entry is the sum: what buyers or the platform paid. */
const PAYERS = sql.raw(`('provider_receivable', 'refunds', 'complimentary', 'chargeback_loss')`)

/** Price, fee, its tax and the creator's share of the entry `e`. */
export const entryShares: SQL = sql`
  select coalesce(sum(amount) filter (where account in ${PAYERS}), 0) as gross,
    -coalesce(sum(amount) filter (where account = 'platform_fee'), 0) as fee,
    -coalesce(sum(amount) filter (where account = 'fee_tax'), 0) as fee_tax,
    -coalesce(sum(amount) filter (where account = 'creator_payable'), 0) as net
  from ledger_lines where entry_id = e.id`

/** Rows of sums of a creator within days, those of open days from their entries. */
const sumsWithin = (creator: SQL, from: SQL, to: SQL): SQL => sql`
  select day, cause, kind, item_id, count, gross, fee, fee_tax, net from ledger_days
  where creator_id = ${creator} and day >= ${inTokyo(from)} and day < ${inTokyo(to)}
  union all
  select day, cause, kind, item_id, count, gross, fee, fee_tax, net
  from (${entrySums(sql`e.creator_id = ${creator} and e.at >= ${from} and e.at < ${to} and e.at >= ${openFrom}`)}) live`

/** What the balance gained by cause in the same rows, without what was sold. */
const netsWithin = (creator: SQL, from: SQL, to: SQL): SQL => sql`
  select cause, sum(net) as net from ledger_days
  where creator_id = ${creator} and day >= ${inTokyo(from)} and day < ${inTokyo(to)} group by cause
  union all
  select e.cause, (select -coalesce(sum(amount), 0) from ledger_lines where entry_id = e.id and account = 'creator_payable')
  from ledger_entries e
  where e.creator_id = ${creator} and e.at >= ${from} and e.at < ${to} and e.at >= ${openFrom}`

const totals = sql`sum(count)::int as count, sum(gross)::float8 as gross, sum(fee)::float8 as fee,
  sum(fee_tax)::float8 as "feeTax", sum(net)::float8 as net`

interface Range {
  readonly creator: string
  readonly from: string
  readonly to: string
}
const range = { creator: 'uuid', from: 'timestamptz', to: 'timestamptz' } as const
const rangeOf = (creator: string, { from, to }: Days): Range => ({
  creator,
  from: momentOf(from),
  to: momentOf(to),
})

type DayRow = CauseSums & { readonly part: string }

const byMonth = statement<Range, DayRow>(
  range,
  (param) => sql`select to_char(day, 'YYYY-MM') as part, cause, kind, ${totals}
    from (${sumsWithin(param('creator'), param('from'), param('to'))}) s
    group by 1, cause, kind order by 1`,
)

const grouped = (rows: readonly DayRow[]): Map<string, CauseSums[]> => Map.groupBy(rows, (row) => row.part)

/** Sums of each month (`YYYY-MM`) that has entries, in their order. */
export async function sumsByMonth(db: Db, creatorId: string, days: Days): Promise<Map<string, CauseSums[]>> {
  return grouped(await byMonth(db, rangeOf(creatorId, days)))
}

/** Sums of a closed month by creator. @param days its first day and that of the next month, `YYYY-MM-DD` */
export async function closedSums(
  db: Db,
  creatorIds: readonly string[],
  { first, next }: { readonly first: string; readonly next: string },
): Promise<Map<string, CauseSums[]>> {
  const { rows } = (await db.execute(sql`
    select creator_id as part, cause, kind, ${totals} from ledger_days
    where creator_id in ${[...creatorIds]} and day >= ${first}::date and day < ${next}::date
    group by creator_id, cause, kind`)) as { rows: DayRow[] }
  return grouped(rows)
}

/** What was sold, with its sums. */
export interface ItemSums extends CauseSums {
  readonly kind: SoldKind
  /** Null when it was erased. */
  readonly itemId: string | null
  /** The text of a post, or the name of a plan; null when it was erased or deleted. */
  readonly title: string | null
}

type MonthRow = DayRow | (ItemSums & { readonly part: null })

/** A value also for what was erased, so that rows can be joined by it. */
const known = (item: SQL) => sql`coalesce(${item}, '00000000-0000-0000-0000-000000000000'::uuid)`

const ofMonth = statement<Range, MonthRow>(
  range,
  (param) => sql`
    with sums as materialized (
      select s.day::text as part, cause, kind, item_id, grouping(s.day) = 1 as "isItem", ${totals}
      from (${sumsWithin(param('creator'), param('from'), param('to'))}) s
      group by grouping sets ((s.day, cause, kind), (kind, item_id, cause))),
    best as (select kind, item_id, sum(net) as total from sums where "isItem" and kind is not null
      group by kind, item_id order by total desc, kind, item_id limit 50)
    select part, cause, kind, null::uuid as "itemId", null as title, count, gross, fee, "feeTax", net, null::float8 as total
    from sums where not "isItem"
    union all
    select null, i.cause, i.kind, i.item_id,
      case i.kind when 'plan' then (select name from plans where id = i.item_id)
        else (select coalesce(nullif(title, ''), left(content, 200)) from posts where id = i.item_id and deleted_at is null) end,
      i.count, i.gross, i.fee, i."feeTax", i.net, b.total
    from sums i join best b on b.kind = i.kind and ${known(sql`b.item_id`)} = ${known(sql`i.item_id`)}
    where i."isItem"
    order by part, total desc, kind, "itemId", cause`,
)

export interface MonthSums {
  /** Of each day (`YYYY-MM-DD`) that has entries, in their order. */
  readonly byDay: Map<string, CauseSums[]>
  /** The 50 posts and plans that brought the most, with a row for each cause; the best first. */
  readonly items: ItemSums[]
}

/** Sums of days by day and by what was sold, in one reading of the rows. */
export async function sumsOfMonth(db: Db, creatorId: string, days: Days): Promise<MonthSums> {
  const rows = await ofMonth(db, rangeOf(creatorId, days))
  return {
    byDay: grouped(rows.filter((row) => row.part !== null)),
    items: rows.filter((row) => row.part === null),
  }
}

const first = statement<{ creator: string }, { month: string | null }>(
  { creator: 'uuid' },
  (param) => sql`select to_char(least(
      (select min(day) from ledger_days where creator_id = ${param('creator')}),
      (select ${inTokyo(sql`min(at)`)} from ledger_entries where creator_id = ${param('creator')})), 'YYYY-MM') as month`,
)

/** The month (`YYYY-MM`) of the creator's first entry; undefined without one. */
export async function firstMonth(db: Db, creatorId: string): Promise<string | undefined> {
  return (await first(db, { creator: creatorId }))[0]?.month ?? undefined
}

const since = statement<
  { creator: string; to: string },
  { closing: number; cause: LedgerCause; net: number }
>(
  { creator: 'uuid', to: 'timestamptz' },
  (param) => sql`
    with last as (select closing, ((month || '-01')::date + interval '1 month') at time zone 'Asia/Tokyo' as until
      from statements where creator_id = ${param('creator')}
        and ((month || '-01')::date + interval '1 month') at time zone 'Asia/Tokyo' <= ${param('to')}
      order by month desc limit 1),
    start as (select coalesce((select until from last), '2000-01-01'::timestamp at time zone 'Asia/Tokyo') as at)
    select coalesce((select closing from last), 0)::float8 as closing, s.cause, coalesce(sum(s.net), 0)::float8 as net
    from start left join lateral (${netsWithin(param('creator'), sql`start.at`, param('to'))}) s on true
    group by s.cause`,
)

/** The creator's balance at the end of the last closed month, and what each cause has changed since, yen. */
export interface BalanceParts {
  readonly closing: number
  readonly since: readonly { readonly cause: LedgerCause; readonly net: number }[]
}

/** @param before the start of a day in Asia/Tokyo, milliseconds since 1970: later entries do not count */
export async function balanceParts(db: Db, creatorId: string, before: number): Promise<BalanceParts> {
  const rows = await since(db, { creator: creatorId, to: momentOf(before) })
  return {
    closing: rows[0]?.closing ?? 0,
    since: rows.flatMap(({ cause, net }) => (cause === null ? [] : [{ cause, net }])),
  }
}
