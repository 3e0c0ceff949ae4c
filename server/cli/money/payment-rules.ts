// Rules about charges, payments, refunds and what the provider has.
import type { Rule } from './difference.ts'

/** Yen of a payment that the ledger says were given back: refunds, and what a lost dispute took. */
const refundedInLedger = `coalesce((select -sum(l.amount) from charges c
  join ledger_entries e on e.charge_id = c.id and e.cause = 'refund'
  join ledger_lines l on l.entry_id = e.id and l.account = 'refunds' where c.payment_id = p.id), 0)
  + coalesce((select -sum(l.amount) from charges c join disputes d on d.charge_id = c.id and d.state = 'lost'
  join ledger_entries e on e.dispute_id = d.id and e.cause = 'dispute'
  join ledger_lines l on l.entry_id = e.id and l.account = 'provider_receivable' where c.payment_id = p.id), 0)`

const refundedAmounts: Rule = {
  kind: 'payment.refunded_amount',
  statement: `select id, expected, found from (
      select p.id, ${refundedInLedger} as expected, p.refunded_amount as found from payments p) s
    where expected <> found order by id`,
}

const payingCharges: Rule = {
  kind: 'payment.charge',
  statement: `select p.id, count(c.id) || ' ' || coalesce(max(c.gid), '-') || ' ' || coalesce(max(c.amount), p.amount) as found,
      case when p.charge_gid is null then '0 -' else '1 ' || p.charge_gid end || ' ' || p.amount as expected
    from payments p left join charges c on c.payment_id = p.id and not c.is_surplus
    group by p.id
    having count(c.id) <> case when p.charge_gid is null then 0 else 1 end
      or max(c.gid) is distinct from p.charge_gid or max(c.amount) <> p.amount order by p.id`,
}

const states: Rule = {
  kind: 'payment.state',
  statement: `select id, expected, found from (
      select p.id, p.state as found, case
        when p.charge_gid is null then case when p.state in ('paid', 'refunded', 'disputed') then 'expired' else p.state end
        when exists (select 1 from disputes d where d.payment_id = p.id and d.state = 'open') then 'disputed'
        when p.refunded_amount >= p.amount then 'refunded' else 'paid' end as expected
      from payments p) s
    where expected <> found order by id`,
}

const surplusReasons: Rule = {
  kind: 'charge.surplus',
  statement: `select c.id, 'no reason' as expected, c.surplus_reason as found from charges c
    where not c.is_surplus and c.surplus_reason is not null order by c.id`,
}

/** Money that is owed to a buyer has a task, open or closed, by which the operator sees it. */
const owedWithoutTask: Rule = {
  kind: 'refund.task',
  statement: `select r.id, 'task' as expected, null as found from refunds r join charges c on c.id = r.charge_id
    where not exists (select 1 from operator_tasks t where t.kind = 'refund' and t.payment_id = r.payment_id
      and (t.details->>'refund' = r.id::text or (t.details->>'refund' is null and t.details->>'gid' = c.gid)))
    union all
    select c.id, 'task', null from charges c where c.is_surplus and not exists (select 1 from operator_tasks t
      where t.kind = 'refund_surplus' and t.payment_id = c.payment_id and t.details->>'gid' = c.gid) order by 1`,
}

/** A notice that was handled as a charge has one. */
const notices: Rule = {
  kind: 'notice.charge',
  statement: `select n.id, n.outcome || ' ' || n.gid as expected, null as found from payment_notices n
    where n.outcome in ('granted', 'surplus')
      and not exists (select 1 from charges c where c.provider = n.provider and c.gid = n.gid) order by n.id`,
}

/**
 * The sandbox is the one provider whose own rows are here. A further charge of a recurring one names the payment whose form began it,
 * which is the first month or a change of the card.
 */
const sandbox: Rule = {
  kind: 'provider.charge',
  statement: `select c.id, concat_ws(' ', s.amount, s.payment_id) as expected, concat_ws(' ', c.amount, c.payment_id) as found
    from charges c join sandbox_charges s on s.gid = c.gid and s.provider = c.provider
    left join payments form on form.id::text = s.payment_id left join payments p on p.id = c.payment_id
    where s.amount <> c.amount
      or (s.payment_id <> c.payment_id::text
        and (p.membership_id is null or p.membership_id is distinct from coalesce(form.changes_card_of, form.membership_id)))
      or s.charged_at is null order by c.id`,
}

/** What is returned may be booked a moment later. */
const sandboxRefunds: Rule = {
  kind: 'provider.refund',
  statement: `with owed as (
      select c.id, s.refunded,
        coalesce((select sum(l.amount) from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'refunds'
          where e.charge_id = c.id and e.cause = 'refund_paid'), 0) as booked,
        exists (select 1 from operator_tasks t where t.payment_id = c.payment_id and t.details->>'gid' = c.gid
          and t.kind in ('refund', 'refund_surplus') and t.done_at is null) as waits
      from charges c join sandbox_charges s on s.gid = c.gid and s.provider = c.provider)
    select id, refunded as expected, booked as found from owed where booked > refunded or (booked < refunded and not waits) order by id`,
}

/** A day after the charge its notices and the nightly comparison are over. */
const sandboxMissing = (now: string): Rule => ({
  kind: 'provider.unrecorded',
  statement: `select s.gid as id, s.amount as expected, null as found from sandbox_charges s
    where s.charged_at is not null and s.state in ('paid', 'refunded') and s.charged_at < ${now} - interval '2 days'
      and not exists (select 1 from charges c where c.provider = s.provider and c.gid = s.gid)
      and not exists (select 1 from operator_tasks t where t.details->>'gid' = s.gid) order by s.gid`,
})

/** @param now SQL of the moment of the check */
export const paymentRules = (now: string): readonly Rule[] => [
  refundedAmounts,
  payingCharges,
  states,
  surplusReasons,
  owedWithoutTask,
  notices,
  sandbox,
  sandboxRefunds,
  sandboxMissing(now),
]
