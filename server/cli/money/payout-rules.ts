// Rules about payouts and their files, and about who decided.
import type { Rule } from './difference.ts'

const payouts: Rule = {
  kind: 'payout.state',
  statement: `select id, expected, found from (
      select p.id, concat_ws(' ', p.state, case when p.export_id is null then 'no file' else 'file' end,
          case when p.paid_at is null then 'unpaid' else 'paid' end) as found,
        concat_ws(' ', p.state, case when p.state in ('exported', 'paid', 'returned') then 'file' else 'no file' end,
          case when p.state = 'paid' or (p.state = 'returned' and p.paid_at is not null) then 'paid' else 'unpaid' end) as expected
      from payouts p) s where expected <> found order by id`,
}

const files: Rule = {
  kind: 'payout.file',
  statement: `select x.id, x.count || ' ' || x.total as expected, count(p.id) || ' ' || coalesce(sum(p.amount - p.fee - p.withheld), 0) as found
    from payout_exports x left join payouts p on p.export_id = x.id where x.voided_at is null
    group by x.id having count(p.id) <> x.count or coalesce(sum(p.amount - p.fee - p.withheld), 0) <> x.total
    union all
    select p.export_id, 'no payout', p.id::text from payouts p join payout_exports x on x.id = p.export_id
    where x.voided_at is not null order by 1`,
}

/** A bank takes its fee once the file is over; records are numbered, so that none of them is lost. */
const bankFees: Rule = {
  kind: 'payout.bank_fee',
  statement: `select id, expected, found from (
      select b.id, concat_ws(' ', 'results', row_number() over (partition by b.export_id order by b.position)) as expected,
        concat_ws(' ', case when x.voided_at is not null then 'voided'
          when exists (select 1 from payouts p where p.export_id = x.id and p.state = 'exported') then 'no results'
          else 'results' end, b.position) as found
      from bank_fees b join payout_exports x on x.id = b.export_id) s where expected <> found order by id`,
}

/** No payout is requested without a balance for it: of what was booked in the same moment only sales count. */
const covered: Rule = {
  kind: 'payout.covered',
  statement: `select id, expected, found from (
      select p.id, p.amount as expected, (select -coalesce(sum(l.amount), 0) from ledger_lines l
        join ledger_entries o on o.id = l.entry_id
        where l.account = 'creator_payable' and l.creator_id = p.creator_id and (o.at < e.at or (o.at = e.at and l.amount < 0))) as found
      from payouts p join ledger_entries e on e.payout_id = p.id and e.cause = 'payout') s
    where found < expected order by id`,
}

/** Roles that may decide about money, at a moment: by the last change in the audit log, or now where it has none. */
const anotherAt = (actor: string, at: string) => `exists (select 1 from users u
  left join lateral (select a.detail->>'role' as role from audit_log a where a.act = 'role.set' and a.subject_id = u.id
    and a.at <= ${at} order by a.at desc, a.seq desc limit 1) r on true
  where u.id <> ${actor} and u.created_at <= ${at} and (u.deleted_at is null or u.deleted_at > ${at})
    and coalesce(r.role, u.role) in ('admin', 'finance'))`

interface Act {
  readonly name: string
  /** Rows with `id`, `actor`, `at`, and `person`, who gains or loses by it. */
  readonly rows: string
}

const acts: readonly Act[] = [
  {
    name: 'refund',
    rows: `select r.id, r.actor_id as actor, r.created_at as at, v.person from refunds r join payments p on p.id = r.payment_id
      cross join lateral (values (p.user_id), (p.creator_id)) v (person)`,
  },
  {
    name: 'dispute',
    rows: `select p.id, a.actor_id as actor, a.at, v.person from audit_log a join payments p on p.id = a.subject_id
      cross join lateral (values (p.user_id), (p.creator_id)) v (person) where a.act like 'dispute.%'`,
  },
  {
    name: 'complimentary',
    rows: `select c.id, c.actor_id as actor, c.created_at as at, v.person from complimentary_memberships c
      cross join lateral (values (c.user_id), (c.creator_id)) v (person)`,
  },
  {
    name: 'fee_rate',
    rows: `select id, actor_id as actor, created_at as at, creator_id as person from fee_rates`,
  },
  {
    name: 'clearing',
    rows: `select id, actor_id as actor, created_at as at, creator_id as person from balance_clearings`,
  },
  {
    name: 'payout',
    rows: `select id, approved_by as actor, approved_at as at, creator_id as person from payouts`,
  },
  {
    name: 'payout_file',
    rows: `select p.id, x.actor_id as actor, x.made_at as at, v.person from payouts p join payout_exports x on x.id = p.export_id
      cross join lateral (values (p.creator_id), (p.approved_by)) v (person)`,
  },
]

/** Who decides is not who earns, unless no other member of staff was there to decide. */
const actors = ({ name, rows }: Act): Rule => ({
  kind: `actor.${name}`,
  statement: `select distinct s.id, 'another person' as expected, s.actor as found from (${rows}) s
    where s.actor = s.person and ${anotherAt('s.actor', 's.at')} order by s.id`,
})

export const payoutRules: readonly Rule[] = [payouts, files, bankFees, covered, ...acts.map(actors)]
