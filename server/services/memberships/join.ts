// Makes the buyer of a plan's first month a member.
import { membershipStep } from '#server/rules/money/membership.ts'
import { periodEnd } from '#server/rules/money/periods.ts'
import { planStateOf } from '#server/rules/plan-state.ts'
import type { Charge } from '#server/services/payments/surplus.ts'
import type { Db } from '#server/store/database.ts'
import { addMembership, type MembershipRow } from '#server/store/memberships/memberships.ts'
import type { PaymentRow } from '#server/store/payments/payments.ts'
import { blockedAmong, lockPair } from '#server/store/people/blocks.ts'
import { accountState } from '#server/store/people/people.ts'
import { hasGivenPlan, openJoined } from '#server/store/plans/grants.ts'
import { lockPlan } from '#server/store/plans/offers.ts'
import { findPlanFacts } from '#server/store/plans/plan-facts.ts'
import { columnsOf } from './state.ts'

/** A charge of a recurring charge. */
export interface PlanCharge extends Charge {
  /** The provider's number of the recurring charge. */
  readonly recurringRef: string
  /** When the provider charged, as far as is known, ms since 1970. */
  readonly chargedAt: number
  /** The last month of the card, `YYYY-MM`; undefined where the provider does not say it. */
  readonly cardExpires?: string | undefined
}

/**
 * Makes the buyer a member. Who has joined already, whom the creator does not see, and a plan that is full or ends get
 * none, so that the money goes back.
 */
export async function join(
  tx: Db,
  payment: PaymentRow,
  { recurringRef, provider, amount, chargedAt, cardExpires }: PlanCharge,
  now: number,
): Promise<MembershipRow | undefined> {
  const { planId, userId, creatorId, chargeDay } = payment
  if (planId === null || chargeDay === null) return undefined
  // One buyer after the other, so that a limit of members is not exceeded.
  await lockPlan(tx, planId)
  const plan = await findPlanFacts(tx, planId, now)
  // A plan that was paused after the buyer confirmed is joined all the same.
  if (!plan || planStateOf({ ...plan, acceptsMembers: true }, now) !== 'open') return undefined
  for (const id of [userId, creatorId]) if ((await accountState(tx, id)) !== 'present') return undefined
  await lockPair(tx, userId, creatorId)
  if ((await blockedAmong(tx, userId, [creatorId])).size > 0) return undefined
  if (await hasGivenPlan(tx, planId, userId, now)) return undefined
  const until = periodEnd(chargedAt, chargeDay)
  // Only a comparison with the provider's list finds a charge so late. Its month opened nothing.
  if (until <= now) return undefined
  const event = { is: 'charged', chargedAt, until, isRepeated: false } as const
  const { membership } = membershipStep({ is: 'pending' }, event, now)
  const row: MembershipRow = {
    ...columnsOf(membership, { paidUntil: new Date(until), stoppedAt: null }),
    id: payment.id,
    userId,
    creatorId,
    planId,
    price: amount,
    nextPlanId: null,
    nextPrice: null,
    chargeDay: chargeDay,
    provider,
    recurringRef,
    formId: null,
    cardChangedAt: null,
    cardExpires: cardExpires ?? null,
    cardTold: null,
    chargedAmount: amount,
    informedPrice: null,
    joinedAt: new Date(now),
  }
  if (!(await addMembership(tx, row))) return undefined
  await openJoined(tx, row.id, now)
  return row
}
