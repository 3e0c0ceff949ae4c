// Views of memberships, for their members.
import type { MembershipView } from '#contract/memberships/memberships.ts'
import type { PlanView } from '#contract/plans/plans.ts'
import { canResume } from '#server/rules/money/membership.ts'
import type { Db } from '#server/store/database.ts'
import type { MembershipRow } from '#server/store/memberships/memberships.ts'
import { findPlans, type Plan } from '#server/store/plans/plans.ts'
import { shownCardAct } from './card.ts'
import { isExpiring } from './expiring.ts'
import { stateOf } from './state.ts'
import { wantedAmount } from './sync-charges.ts'

export const planViewOf = ({ id, name, price }: Plan): PlanView => ({ id, name, price })

/** Views of memberships by their ids, at this moment, ms since 1970. */
export async function membershipViews(
  db: Db,
  rows: readonly MembershipRow[],
  now: number,
): Promise<Map<string, MembershipView>> {
  const plans = await findPlans(
    db,
    rows.flatMap((it) => [it.planId ?? [], it.nextPlanId ?? []].flat()),
  )
  return new Map(rows.map((row) => [row.id, viewOf(row, plans, now)]))
}

function viewOf(row: MembershipRow, plans: ReadonlyMap<string, Plan>, now: number): MembershipView {
  const plan = plans.get(row.planId ?? '')
  const next = plans.get(row.nextPlanId ?? '')
  const isOffered = plan !== undefined && plan.endsAt === null && plan.price !== row.price
  return {
    id: row.id,
    state: row.state,
    price: row.price,
    paid_until: row.paidUntil.toISOString(),
    next_charge_at: row.state === 'active' ? row.paidUntil.toISOString() : null,
    why: row.why,
    next: next && row.nextPrice !== null ? { ...planViewOf(next), price: row.nextPrice } : null,
    offered_price: row.state === 'active' && isOffered && next === undefined ? plan.price : null,
    is_processing: row.chargedAmount !== wantedAmount(row),
    can_resume: canResume(stateOf(row), now) && plan !== undefined && plan.endsAt === null,
    card: plan ? (shownCardAct(row, plan.endsAt, now) ?? null) : null,
    card_expires: isExpiring(row, now) ? row.cardExpires : null,
  }
}

/** The view of one membership. */
export async function membershipViewOf(db: Db, row: MembershipRow, now: number): Promise<MembershipView> {
  const view = (await membershipViews(db, [row], now)).get(row.id)
  if (!view) throw new Error('a membership has no view')
  return view
}
