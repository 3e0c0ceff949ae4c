// Rules about entries of the ledger, its balances, closed days and statements.
import type { Rule } from './difference.ts'
import { monthEnd, monthStart, SOLD, taxInside, transferFees, withLines } from './lines.ts'

const causes = [
  'charge',
  'payout',
  'complimentary',
  'settlement',
  'clearing',
  'bank_fee',
  'statement',
] as const

/** Name of an account, with the person whose it is. */
const accountOf = `account || coalesce('/' || creator_id::text, '')`

/** Accounts of a thing as one text, those of zero yen left out. */
const textOf = (column: string) =>
  `string_agg(${accountOf} || ' ' || ${column}, ', ' order by ${accountOf}) filter (where ${column} <> 0)`

const bookings = (subject: string): Rule => ({
  kind: `ledger.${subject}`,
  statement: `${withLines},
    sums as (
      select id, account, creator_id, sum(wanted) as wanted, sum(booked) as booked from (
        select id, account, creator_id, amount as wanted, 0 as booked from wanted where subject = '${subject}'
        union all select id, account, creator_id, 0, amount from booked where subject = '${subject}') s
      group by id, account, creator_id)
    select id, ${textOf('wanted')} as expected, ${textOf('booked')} as found
    from sums group by id having bool_or(wanted <> booked) order by id`,
})

const balances: Rule = {
  kind: 'balance',
  statement: `${withLines},
    sums as (
      select account, creator_id, sum(wanted) as wanted, sum(booked) as booked from (
        select account, creator_id, amount as wanted, 0 as booked from wanted
        union all select account, creator_id, 0, amount from ledger_lines) s
      group by account, creator_id)
    select ${accountOf} as id, wanted as expected, booked as found from sums where wanted <> booked order by 1`,
}

/** A trigger refuses these at the commit; a restored database may have been changed without it. */
const unbalanced: Rule = {
  kind: 'entry.sum',
  statement: `select e.id, 0 as expected, coalesce(sum(l.amount), 0) as found
    from ledger_entries e left join ledger_lines l on l.entry_id = e.id
    group by e.id having coalesce(sum(l.amount), 0) <> 0 or count(l.id) = 0 order by e.id`,
}

/** The causes and creators of the entries of a charge are those of what happened to it. */
const creators: Rule = {
  kind: 'entry.creator',
  statement: `select e.id, p.creator_id as expected, e.creator_id as found
    from ledger_entries e join charges c on c.id = e.charge_id join payments p on p.id = c.payment_id
    where e.creator_id is distinct from
      case when e.cause in ('surplus', 'refund_paid', 'dispute_fee') then null else p.creator_id end order by e.id`,
}

const shares = `e.creator_id, (e.at at time zone 'Asia/Tokyo')::date as day, e.cause,
  coalesce(p.kind, case when e.complimentary_id is not null then 'plan' end) as kind,
  coalesce(sum(l.amount) filter (where l.account in ('provider_receivable', 'refunds', 'complimentary', 'chargeback_loss')), 0) as gross,
  coalesce(-sum(l.amount) filter (where l.account = 'platform_fee'), 0) as fee,
  coalesce(-sum(l.amount) filter (where l.account = 'fee_tax'), 0) as tax,
  coalesce(-sum(l.amount) filter (where l.account = 'creator_payable'), 0) as net`

const entryShares = `entries as (
    select ${shares}, e.at from ledger_entries e join ledger_lines l on l.entry_id = e.id
    left join charges c on c.id = e.charge_id left join payments p on p.id = c.payment_id
    where e.creator_id is not null group by e.id, p.kind)`

const days: Rule = {
  kind: 'closed_day',
  statement: `with ${entryShares},
    live as (
      select n.creator_id, n.day, n.cause, n.kind, count(*) as count, sum(gross) as gross, sum(fee) as fee, sum(tax) as tax, sum(net) as net
      from entries n join ledger_closed_days using (day) group by n.creator_id, n.day, n.cause, n.kind),
    stored as (
      select creator_id, day, cause, kind, sum(count) as count, sum(gross) as gross, sum(fee) as fee, sum(fee_tax) as tax, sum(net) as net
      from ledger_days group by creator_id, day, cause, kind),
    texts as (
      select creator_id, day, cause, kind, concat_ws(' ', count, gross, fee, tax, net) as expected, null as found from live
      union all select creator_id, day, cause, kind, null, concat_ws(' ', count, gross, fee, tax, net) from stored)
    select concat_ws('/', creator_id, day, cause, kind) as id, max(expected) as expected, max(found) as found
    from texts group by creator_id, day, cause, kind
    having max(expected) is distinct from max(found) order by 1`,
}

const statements: Rule = {
  kind: 'statement',
  statement: `with ${entryShares},
    figures as (
      select s.id, s.creator_id, s.month,
        coalesce(sum(n.gross) filter (where n.cause in ('sale', 'complimentary') and n.kind = 'plan'), 0) as plans,
        coalesce(sum(n.gross) filter (where n.cause in ('sale', 'complimentary') and n.kind = 'post'), 0) as posts,
        coalesce(-sum(n.gross) filter (where n.cause in ${SOLD} and n.cause not in ('sale', 'complimentary')), 0) as refunds,
        coalesce(sum(n.fee + n.tax) filter (where n.cause in ${SOLD}), 0)::bigint as fees,
        coalesce(sum(n.net) filter (where n.cause in ${SOLD}), 0) as net,
        coalesce(-sum(n.net) filter (where n.cause not in ${SOLD}), 0) as paid_out
      from statements s left join entries n on n.creator_id = s.creator_id
        and n.at >= ${monthStart('s.month')} and n.at < ${monthEnd('s.month')}
      group by s.id),
    closings as (
      select s.id, coalesce(sum(n.net), 0) as closing from statements s
      left join entries n on n.creator_id = s.creator_id and n.at < ${monthEnd('s.month')} group by s.id),
    texts as (
      select s.id,
        concat_ws(' ', c.closing - f.net + f.paid_out, c.closing, f.plans, f.posts, f.refunds,
          f.fees - ${taxInside('f.fees')}, ${taxInside('f.fees')}, f.net, f.paid_out,
          ${transferFees}, ${taxInside(`${transferFees} + f.fees`)} - ${taxInside('f.fees')}) as expected,
        concat_ws(' ', s.opening, s.closing, s.plans, s.posts, s.refunds, s.fee, s.fee_tax, s.net, s.paid_out,
          coalesce(s.transfer_fee, 0), coalesce(s.transfer_fee_tax, 0)) as found
      from statements s join figures f using (id) join closings c using (id))
    select * from texts where expected <> found order by id`,
}

/** A creator who sold or was paid something in a closed month has its statement, if months of others have theirs. */
const missing: Rule = {
  kind: 'statement.missing',
  statement: `with months as (select distinct month from statements)
    select distinct d.creator_id || '/' || m.month as id, 'statement' as expected, null as found
    from ledger_days d join months m on m.month = to_char(d.day, 'YYYY-MM')
    where not exists (select 1 from statements s where s.creator_id = d.creator_id and s.month = m.month) order by 1`,
}

export const ledgerRules: readonly Rule[] = [
  unbalanced,
  creators,
  ...causes.map(bookings),
  balances,
  days,
  statements,
  missing,
]
