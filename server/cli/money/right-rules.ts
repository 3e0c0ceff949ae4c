// Rules about what is open: bought posts, plans that are paid or given, and memberships.
import type { Rule } from './difference.ts'

const isThere = (person: string) =>
  `exists (select 1 from users u where u.id = ${person} and u.deleted_at is null)`
const isOpen = (row: string, now: string) => `(${row}.ends_at is null or ${row}.ends_at > ${now})`

const paidPost = `payments p where p.kind = 'post' and p.state = 'paid' and p.post_id = b.post_id and p.user_id = b.user_id`

const purchases: Rule = {
  kind: 'purchase',
  statement: `select id, expected, found from (
      select b.post_id || '/' || b.user_id as id, case when b.revoked_at is null then b.price::text else 'closed' end as found,
        coalesce((select p.amount::text from ${paidPost}), 'closed') as expected
      from post_purchases b) s where expected <> found
    union all
    select p.post_id || '/' || p.user_id, p.amount::text, null from payments p
    where p.kind = 'post' and p.state = 'paid' and p.post_id is not null and ${isThere('p.user_id')}
      and not exists (select 1 from post_purchases b where b.post_id = p.post_id and b.user_id = p.user_id) order by 1`,
}

/** When a plan closes that a membership opens, as its state says. */
const endsAt = `case m.state when 'cancelling' then m.paid_until::text when 'ended' then m.ended_at::text else 'open' end`

/** Each open row of a plan has a source that runs: a paid membership, or one that was given. */
const planRows = (now: string): Rule => ({
  kind: 'plan.row',
  statement: `select id, expected, found from (
      select g.plan_id || '/' || g.user_id as id, coalesce(g.ends_at::text, 'open') as found, case
        when m.id is not null then case when m.user_id <> g.user_id or m.creator_id <> p.creator_id then 'closed' else ${endsAt} end
        when c.id is not null then c.ends_at::text
        else 'closed' end as expected
      from plan_members g join plans p on p.id = g.plan_id
      left join memberships m on m.id = g.membership_id left join complimentary_memberships c on c.id = g.complimentary_id
      where ${isOpen('g', now)}) s
    where expected <> found order by id`,
})

/** A membership that runs opens its plan, and the cheaper ones of settled prices if its plan does. */
const opened = (now: string): Rule => ({
  kind: 'plan.closed',
  statement: `select l.id || '/' || m.user_id as id, m.id as expected, null as found
    from memberships m join plans p on p.id = m.plan_id join plans l on l.creator_id = p.creator_id
      and (l.id = p.id or (p.opens_cheaper and l.price < m.price and l.settles_at is null and p.settles_at is null))
    where m.state <> 'ended' and (m.state <> 'cancelling' or m.paid_until > ${now})
      and ${isThere('m.user_id')} and ${isThere('m.creator_id')}
      and not exists (select 1 from plan_members g where g.plan_id = l.id and g.membership_id = m.id and ${isOpen('g', now)})
    order by 1`,
})

const gifts = (now: string): Rule => ({
  kind: 'plan.gift',
  statement: `select g.plan_id || '/' || g.user_id as id, c.ends_at::text as expected, g.ends_at::text as found
    from complimentary_grants g join complimentary_memberships c on c.id = g.complimentary_id
    where g.ends_at <> c.ends_at or g.user_id <> c.user_id
    union all
    select c.plan_id || '/' || c.user_id, c.ends_at::text, null from complimentary_memberships c
    where c.ends_at > ${now} and c.plan_id is not null and ${isThere('c.user_id')}
      and not exists (select 1 from complimentary_grants g where g.complimentary_id = c.id and g.plan_id = c.plan_id)
      and not exists (select 1 from plan_members g where g.complimentary_id = c.id and g.plan_id = c.plan_id) order by 1`,
})

/** A paid month names its own plan, and others of its creator that were opened to its person. */
const openedPlans: Rule = {
  kind: 'plan.month',
  statement: `select p.id, coalesce(p.plan_id::text, '-') as expected, p.opened_plans::text as found from payments p
    where p.opened_plans is not null and ${isThere('p.user_id')} and ${isThere('p.creator_id')} and (
      p.membership_id is null or (p.plan_id is not null and p.plan_id <> all (p.opened_plans))
      or exists (select 1 from unnest(p.opened_plans) o(id) join plans l on l.id = o.id
        where l.creator_id <> p.creator_id
          or not exists (select 1 from plan_members g where g.plan_id = o.id and g.user_id = p.user_id))) order by 1`,
}

/** The last month that was paid: its end, price and plan are those of the membership. */
const lastMonth = `lateral (select p.amount, p.plan_id, p.period_until, p.user_id, p.creator_id from payments p
  where p.membership_id = m.id and p.charge_gid is not null order by p.period_until desc limit 1) p`

const months: Rule = {
  kind: 'membership.month',
  statement: `select id, expected, found from (
      select m.id, m.why, m.paid_until, p.period_until,
        concat_ws(' ', p.user_id, p.creator_id, p.amount, coalesce(p.plan_id::text, '-')) as expected,
        concat_ws(' ', m.user_id, m.creator_id, m.price, coalesce(m.plan_id::text, '-')) as found
      from memberships m left join ${lastMonth} on true) s where expected <> found
    union all
    select m.id, p.period_until::text, m.paid_until::text from memberships m join ${lastMonth} on true
    where m.paid_until < p.period_until or (m.paid_until > p.period_until and m.why is distinct from 'plan_closed') order by 1`,
}

const states: Rule = {
  kind: 'membership.state',
  statement: `select m.id, 'ended' as expected, m.state as found from memberships m
    where m.state <> 'ended' and exists (select 1 from payments p where p.membership_id = m.id
      and ((p.state = 'refunded' and p.refunded_at < p.period_until)
        or (p.state = 'disputed' and exists (select 1 from disputes d where d.payment_id = p.id and d.opened_at < p.period_until))))
    union all
    select m.id, case when m.state = 'ended' then 'ended_at why' when m.state = 'cancelling' then 'stopped_at why' else 'none' end,
      concat_ws(' ', m.state, m.ended_at, m.stopped_at, m.why) from memberships m
    where (m.state = 'ended') <> (m.ended_at is not null) or (m.state in ('active', 'past_due')) <> (m.why is null)
      or (m.state = 'cancelling' and m.stopped_at is null) order by 1`,
}

/** @param now SQL of the moment of the check */
export const rightRules = (now: string): readonly Rule[] => [
  purchases,
  planRows(now),
  opened(now),
  gifts(now),
  openedPlans,
  months,
  states,
]
