// What a plan's first month is sold for, if the buyer may join it now.
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { planStateOf } from '#server/rules/plan-state.ts'
import type { Buyer, Offer } from '#server/services/payments/begin.ts'
import type { Db } from '#server/store/database.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import { findRunning } from '#server/store/memberships/memberships.ts'
import { blockedAmong } from '#server/store/people/blocks.ts'
import { accountState } from '#server/store/people/people.ts'
import { hasGivenPlan } from '#server/store/plans/grants.ts'
import { lockPlan } from '#server/store/plans/offers.ts'
import { findPlanFacts } from '#server/store/plans/plan-facts.ts'

type VisiblePlan = NonNullable<Awaited<ReturnType<typeof findPlanFacts>>>

/**
 * A plan that has not ended, of a creator whom the person sees.
 * @throws ApiError `not_found`
 */
export async function visiblePlan(
  db: Db,
  viewerId: string,
  planId: string,
  now: number,
): Promise<VisiblePlan> {
  const plan = await findPlanFacts(db, planId, now)
  if (!plan || planStateOf(plan, now) === 'ended') throw new ApiError('not_found')
  const isPresent = (await accountState(db, plan.creatorId)) === 'present'
  const isBlocked = (await blockedAmong(db, viewerId, [plan.creatorId])).size > 0
  if (!isPresent || isBlocked) throw new ApiError('not_found')
  return plan
}

/** @throws ApiError `not_found`, `forbidden`, `already_joined`, `plan_closed` */
export async function planOffer(
  tx: Db,
  { clock }: Pick<Deps, 'clock'>,
  buyer: Buyer,
  planId: string,
): Promise<Offer> {
  const now = clock()
  await lockPlan(tx, planId)
  const plan = await visiblePlan(tx, buyer.id, planId, now)
  const { creatorId } = plan
  if (creatorId === buyer.id || !(await isIdentified(tx, creatorId))) throw new ApiError('forbidden')
  const isMember =
    (await findRunning(tx, buyer.id, creatorId)) !== undefined ||
    (await hasGivenPlan(tx, planId, buyer.id, now))
  if (isMember) throw new ApiError('already_joined')
  if (planStateOf(plan, now) !== 'open') throw new ApiError('plan_closed')
  return { creatorId, price: plan.price }
}
