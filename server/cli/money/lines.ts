// The lines that the ledger must have, recomputed from what happened, as SQL.

/** Fee with its tax, and the tax inside it, of an amount at a rate of basis points: both are rounded towards zero. */
export const feeOf = (amount: string, rate: string): string => `(${amount})::bigint * ${rate} / 10000`
export const taxInside = (fee: string): string => `(${fee}) * 10 / 110`

/** First moment of the month `YYYY-MM` in Japan, and of the month after it. */
export const monthStart = (month: string): string =>
  `((${month} || '-01')::date)::timestamp at time zone 'Asia/Tokyo'`
export const monthEnd = (month: string): string =>
  `((${month} || '-01')::date + interval '1 month') at time zone 'Asia/Tokyo'`

/** Causes that change what was sold; the others move what a creator has. */
export const SOLD = `('sale', 'complimentary', 'refund', 'dispute', 'dispute_won', 'dispute_covered')`

/** A closed task says that the money of a refund is back with the buyer; one of the first version does not name its refund. */
const returnedRefund = `exists (select 1 from operator_tasks t where t.payment_id = r.payment_id and t.kind = 'refund'
  and t.done_at is not null and (t.details->>'refund' = r.id::text or (t.details->>'refund' is null and t.details->>'gid' = c.gid)))`
const returnedSurplus = `exists (select 1 from operator_tasks t where t.kind = 'refund_surplus' and t.payment_id = c.payment_id
  and t.done_at is not null and t.details->>'gid' = c.gid)`
/** Which lost dispute the platform bears is in the audit log alone. */
const isCovered = `exists (select 1 from audit_log a where a.act = 'dispute.covered' and a.subject_id = d.payment_id
  and a.detail->>'dispute' = d.id::text)`

const charges = `taken as (
    select c.id, c.is_surplus, c.amount as charged, p.creator_id, p.fee_rate,
      case when ${returnedSurplus} then c.amount else 0 end as surplus_back,
      coalesce((select sum(r.amount) from refunds r where r.charge_id = c.id), 0) as refunded,
      coalesce((select sum(r.amount) from refunds r where r.charge_id = c.id and ${returnedRefund}), 0) as returned,
      coalesce((select sum(d.amount) from disputes d where d.charge_id = c.id and d.state <> 'won'), 0) as disputed,
      coalesce((select sum(d.fee) from disputes d where d.charge_id = c.id), 0) as dispute_fees,
      coalesce((select sum(d.amount - ${feeOf('d.amount', 'p.fee_rate')}) from disputes d
        where d.charge_id = c.id and d.state = 'lost' and ${isCovered}), 0) as covered
    from charges c join payments p on p.id = c.payment_id),
  left_of as (
    select *, charged - refunded - disputed as rest,
      ${feeOf('charged - refunded - disputed', 'fee_rate')} as fee from taken),
  of_charges as (
    select 'charge' as subject, id, v.* from left_of cross join lateral (values
      ('provider_receivable', null::uuid, charged - surplus_back - returned - disputed - dispute_fees),
      ('refunds', null, case when is_surplus then surplus_back - charged else returned - refunded end),
      ('provider_fee', null, dispute_fees),
      ('chargeback_loss', null, covered),
      ('creator_payable', creator_id, case when is_surplus then 0 else fee - rest - covered end),
      ('platform_fee', null, case when is_surplus then 0 else ${taxInside('fee')} - fee end),
      ('fee_tax', null, case when is_surplus then 0 else -(${taxInside('fee')}) end)) v (account, creator_id, amount))`

/** Whether the bank kept the fee of a transfer that it never sent is in the ledger alone. */
const keptFee = `(p.paid_at is not null or exists (select 1 from ledger_entries e join ledger_lines l on l.entry_id = e.id
  where e.payout_id = p.id and e.cause = 'payout_returned' and l.account = 'bank'))`

const payouts = `of_payouts as (
    select 'payout' as subject, p.id, v.* from payouts p cross join lateral (
      select p.state in ('requested', 'held', 'approved', 'exported') as under_way,
        case when p.state = 'paid' then p.withheld else 0 end as taxed,
        case p.state when 'paid' then p.amount when 'returned' then case when ${keptFee} then p.fee else 0 end else 0 end as gone
      ) s cross join lateral (values
      ('creator_payable', p.creator_id, case when s.under_way then p.amount else s.gone end),
      ('payouts', p.creator_id, case when s.under_way then p.fee + p.withheld - p.amount else 0 end),
      ('payout_fee', null, case when s.under_way then -p.fee else 0 end),
      ('withheld_tax', null, case when s.under_way then -p.withheld else -s.taxed end),
      ('bank', null, s.taxed - s.gone)) v (account, creator_id, amount))`

const given = `of_gifts as (
    select 'complimentary' as subject, g.id, v.* from complimentary_memberships g cross join lateral (values
      ('complimentary', null::uuid, g.paid), ('creator_payable', g.creator_id, -g.paid)) v (account, creator_id, amount))`

const settled = `of_settlements as (
    select 'settlement' as subject, s.id, v.* from settlements s cross join lateral (values
      ('bank', null::uuid, s.received), ('provider_fee', null, s.fee),
      ('provider_receivable', null, -s.received - s.fee)) v (account, creator_id, amount)
    where s.reversed_at is null)`

const cleared = `of_clearings as (
    select 'clearing' as subject, b.id, v.* from balance_clearings b cross join lateral (
      select case b.kind when 'paid' then b.amount else -b.amount end as owed) s cross join lateral (values
      ('creator_payable', b.creator_id, s.owed),
      (case b.kind when 'borne' then 'chargeback_loss' else 'bank' end, null, -s.owed)) v (account, creator_id, amount))`

/** What creators bore of the fees of transfers, with the file of the transfer, and when its result was booked. */
export const borneFees = `select p.creator_id, p.export_id, p.fee, e.at from payouts p join ledger_entries e on e.payout_id = p.id
    where p.fee > 0 and (e.cause = 'payout_paid' or (e.cause = 'payout_returned' and p.paid_at is null and ${keptFee}))`

/** The first record of a file books what the bank took beyond what creators bore, and each further one what it took beyond the one before. */
const tookByBank = `of_bank_fees as (
    select 'bank_fee' as subject, b.id, v.* from bank_fees b cross join lateral (
      select b.fee - coalesce(
        (select o.fee from bank_fees o where o.export_id = b.export_id and o.position = b.position - 1),
        (select sum(f.fee) from (${borneFees}) f where f.export_id = b.export_id), 0) as more) m
    cross join lateral (values
      ('transfer_fee_difference', null::uuid, m.more), ('bank', null, -m.more)) v (account, creator_id, amount))`

/** Fees of transfers that are on the statement \`s\`; none on one of before. */
export const transferFees = `(select coalesce(sum(f.fee), 0) from (${borneFees}) f where s.transfer_fee is not null
  and f.creator_id = s.creator_id and f.at >= ${monthStart('s.month')} and f.at < ${monthEnd('s.month')})`

/** A statement has the tax of all its fees together; each sale has booked its own, and no payout has booked any. */
const rounded = `of_statements as (
    select 'statement' as subject, s.id, v.* from statements s cross join lateral (
      select coalesce(sum(l.amount), 0) as fees, coalesce(sum(l.amount) filter (where l.account = 'fee_tax'), 0) as taxes
      from ledger_entries e join ledger_lines l on l.entry_id = e.id
      where e.creator_id = s.creator_id and e.cause in ${SOLD} and l.account in ('platform_fee', 'fee_tax')
        and e.at >= ${monthStart('s.month')} and e.at < ${monthEnd('s.month')}) b
    cross join lateral (select ${taxInside(`${transferFees} - b.fees`)} + ${taxInside('b.fees')} as tax) t
    cross join lateral (values
      ('transfer_fee_difference', null::uuid, t.tax),
      ('fee_tax', null, -t.tax),
      ('platform_fee', null, b.taxes - ${taxInside('b.fees')}),
      ('fee_tax', null, ${taxInside('b.fees')} - b.taxes)) v (account, creator_id, amount))`

const parts = ['charges', 'payouts', 'gifts', 'settlements', 'clearings', 'bank_fees', 'statements']

const booked = `booked as (
    select case when e.charge_id is not null then 'charge' when e.payout_id is not null then 'payout'
        when e.complimentary_id is not null then 'complimentary' when e.settlement_id is not null then 'settlement'
        when e.clearing_id is not null then 'clearing' when e.bank_fee_id is not null then 'bank_fee' else 'statement' end as subject,
      coalesce(e.charge_id, e.payout_id, e.complimentary_id, e.settlement_id, e.clearing_id, e.bank_fee_id, e.statement_id) as id,
      l.account, l.creator_id, l.amount
    from ledger_entries e join ledger_lines l on l.entry_id = e.id)`

/** The tables `wanted` and `booked` of a statement: `subject`, `id`, `account`, `creator_id` and `amount` in yen. */
export const withLines = `with ${[charges, payouts, given, settled, cleared, tookByBank, rounded].join(',\n  ')},
  wanted as (${parts.map((it) => `select * from of_${it}`).join(' union all ')}),
  ${booked}`
