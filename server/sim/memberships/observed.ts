// Reads what the server has stored about the members of one story.
import type { StoredCharge, StoredTask } from '#server/sim/observed.ts'
import type { World } from '#server/testing/world.ts'
import type { Club } from './cast.ts'

export interface ClubPayment {
  readonly id: string
  readonly user_id: string
  readonly membership_id: string | null
  /** The membership whose card it changes. */
  readonly card_of: string | null
  readonly charge_day: number
  readonly amount: number
  readonly state: string
  readonly charge_gid: string | null
  /** End of the period that it paid, ms since 1970. */
  readonly until: number | null
}

export interface ClubMembership {
  readonly id: string
  readonly user_id: string
  readonly plan_id: string | null
  readonly price: number
  readonly next_price: number | null
  readonly state: 'active' | 'past_due' | 'cancelling' | 'ended'
  readonly why: string | null
  readonly acid: string
  readonly charged_amount: number
  readonly charge_day: number
  readonly form_id: string | null
  readonly joined_at: number
  /** ms since 1970 */
  readonly paid_until: number
  readonly ended_at: number | null
}

/** A plan that is open to a fan now. */
export interface Grant {
  readonly user_id: string
  readonly plan_id: string
  readonly membership_id: string | null
  readonly complimentary_id: string | null
  readonly is_included: boolean
  /** ms since 1970 */
  readonly joined_at: number
  readonly opens_from: number | null
}

export interface ClubTask extends StoredTask {
  readonly why: string | null
}

export interface ClubObserved {
  readonly payments: readonly ClubPayment[]
  readonly charges: readonly StoredCharge[]
  readonly memberships: readonly ClubMembership[]
  readonly grants: readonly Grant[]
  readonly tasks: readonly ClubTask[]
}

/** The id of the membership that a payment is about. */
export const membershipOfPayment = (it: Pick<ClubPayment, 'id' | 'membership_id' | 'card_of'>): string =>
  it.membership_id ?? it.card_of ?? it.id

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

const state = `
  with fans as (select unnest($1::uuid[]) as id),
    paid as (select p.* from payments p join fans on fans.id = p.user_id),
    taken as (select c.* from charges c join paid on paid.id = c.payment_id)
  select
    (select coalesce(json_agg(json_build_object('id', id, 'user_id', user_id, 'membership_id', membership_id,
      'card_of', changes_card_of, 'charge_day', ac1, 'amount', amount, 'state', state, 'charge_gid', charge_gid, 'until', ${ms('period_until')})), '[]')
      from paid) as payments,
    (select coalesce(json_agg(json_build_object('gid', gid, 'payment_id', payment_id, 'amount', amount,
      'is_surplus', is_surplus, 'surplus_reason', surplus_reason, 'entries', (
        select json_agg(json_build_object('cause', e.cause, 'lines', (
          select json_agg(json_build_object('account', l.account, 'amount', l.amount))
          from ledger_lines l where l.entry_id = e.id)))
        from ledger_entries e
        where e.charge_id = taken.id))), '[]')
      from taken) as charges,
    (select coalesce(json_agg(json_build_object('id', m.id, 'user_id', user_id, 'plan_id', plan_id,
      'price', price, 'next_price', next_price, 'state', state, 'why', why, 'acid', acid,
      'charged_amount', charged_amount, 'charge_day', charge_day, 'form_id', form_id, 'joined_at', ${ms('joined_at')}, 'paid_until', ${ms('paid_until')},
      'ended_at', ${ms('ended_at')})), '[]')
      from memberships m join fans on fans.id = m.user_id) as memberships,
    (select coalesce(json_agg(json_build_object('user_id', user_id, 'plan_id', plan_id,
      'membership_id', membership_id, 'complimentary_id', complimentary_id, 'is_included', is_included,
      'joined_at', ${ms('joined_at')}, 'opens_from', ${ms('opens_from')})), '[]')
      from (select plan_id, user_id, ends_at, membership_id, complimentary_id, is_included, joined_at, opens_from
        from plan_members union all select plan_id, user_id, ends_at, null, complimentary_id, is_included, joined_at,
        opens_from from complimentary_grants) g
      join fans on fans.id = g.user_id
      where g.ends_at is null or g.ends_at > $2::timestamptz) as grants,
    (select coalesce(json_agg(json_build_object('kind', kind, 'gid', gid, 'why', why, 'done', done)), '[]') from (
        select t.kind, t.details->>'gid' as gid, t.details->>'why' as why, t.done_at is not null as done
        from operator_tasks t join paid on paid.id = t.payment_id where t.kind <> 'notice_mismatch'
        union all
        select 'notice_mismatch', n.gid, n.outcome, not exists (select 1 from operator_tasks g where g.kind = 'notice_mismatch'
          and g.done_at is null and g.details->>'why' = n.outcome and g.details->>'provider' = n.provider)
        from payment_notices n join paid on paid.id = n.payment_id
        where n.outcome like 'refused:%' or n.outcome = 'foreign') told) as tasks`

export async function observeClub(
  { database, clock }: World,
  { fans }: Pick<Club, 'fans'>,
): Promise<ClubObserved> {
  const ids = `{${fans.map((it) => it.member.id).join(',')}}`
  const { rows } = await database.executeSql(state, [ids, new Date(clock.now).toISOString()])
  return rows[0] as ClubObserved
}
