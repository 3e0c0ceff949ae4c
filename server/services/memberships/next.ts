// Changes the plan or the price of a membership from its next charge on.
import { planStateOf } from '#server/rules/plan-state.ts'
import type { PaymentUnit } from '#server/services/payments/ports.ts'
import { lockMembership, type MembershipRow, setMembership } from '#server/store/memberships/memberships.ts'
import { findPlanFacts } from '#server/store/plans/plan-facts.ts'
import { lockPlan } from '#server/store/plans/offers.ts'
import { type At, publishMembership } from './change.ts'
import { announceNext } from './messages.ts'

export interface Next {
  readonly planId: string
  /** The monthly price that the page showed, whole yen. */
  readonly price: number
}

export type NextRefusal = 'not_found' | 'conflict' | 'plan_closed' | 'price_changed'

/**
 * Sets the plan and the price of the next charge of a membership that the transaction has locked.
 * @returns the row afterwards, or why it was refused
 */
export async function setNext(
  unit: PaymentUnit,
  row: MembershipRow,
  { planId, price }: Next,
  at: At,
): Promise<MembershipRow | NextRefusal> {
  const { tx } = unit
  if (row.state !== 'active') return 'conflict'
  await lockPlan(tx, planId)
  const plan = await findPlanFacts(tx, planId, at.now)
  if (plan?.creatorId !== row.creatorId) return 'not_found'
  // A change that is planned already has its place.
  if (planId === row.nextPlanId && price === row.nextPrice) return row
  const state = planStateOf(plan, at.now)
  // Who is a member already may agree to a new price of a plan that is full or paused.
  const canStay = planId === row.planId && (state === 'full' || state === 'paused')
  if (state !== 'open' && !canStay) return 'plan_closed'
  if (plan.price !== price) return 'price_changed'
  if (planId === row.planId && price === row.price) return (await revokeNext(unit, row.id)) ?? row
  const after = { ...row, nextPlanId: planId, nextPrice: price }
  await save(unit, after)
  await announceNext(unit, after, at)
  return after
}

/** Takes a change back, unless it was charged. @returns the row afterwards; undefined for an unknown membership */
export async function revokeNext(unit: PaymentUnit, id: string): Promise<MembershipRow | undefined> {
  const row = await lockMembership(unit.tx, id)
  if (!row || row.nextPlanId === null) return row
  const after = { ...row, nextPlanId: null, nextPrice: null }
  await save(unit, after)
  return after
}

async function save(unit: PaymentUnit, row: MembershipRow): Promise<void> {
  const { id, nextPlanId, nextPrice } = row
  await setMembership(unit.tx, id, { nextPlanId, nextPrice })
  await unit.enqueue('membership.charges', { membershipId: id })
  publishMembership(unit, row)
}
