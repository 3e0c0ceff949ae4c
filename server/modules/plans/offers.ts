// Adding, changing and closing a creator's plans.
import type { InferOutput } from 'valibot'
import { MAX_PLANS, MIN_AGE, PLAN_SETTLING_MINUTES } from '#contract/limits.ts'
import { addPlan, changePlan } from '#contract/plans/plans.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { endDayProblem, endOfDay } from '#server/rules/plan-state.ts'
import type { Db } from '#server/store/database.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import { lockUser } from '#server/store/people/people.ts'
import {
  addPlanOnce,
  countRunningPlans,
  lockPlan,
  type PlanChange,
  setPlan,
  setPlanEnd,
} from '#server/store/plans/offers.ts'
import { findOwnPlan } from '#server/store/plans/plan-facts.ts'

/**
 * Time after which members are informed of another price, and have what plans that were added or changed open to them, s: a
 * mistake is corrected sooner.
 */
const SETTLING = PLAN_SETTLING_MINUTES * 60

const settlesAt = (now: number) => new Date(now + SETTLING * 1000)

type NewOffer = InferOutput<NonNullable<typeof addPlan.body>>
type Change = InferOutput<NonNullable<typeof changePlan.body>>

/**
 * Adds a plan of this creator; a second request with the same id changes nothing.
 * @throws ApiError `identity_required`, `under_age`, `plan_limit`; `conflict` for an id of another person
 */
export async function addOwnPlan(deps: Deps, creator: Viewer, offer: NewOffer): Promise<void> {
  const now = deps.clock()
  await mayOffer(deps, creator)
  await deps.transaction(async ({ tx, enqueue }) => {
    // Two requests at once could otherwise both see one plan below the limit.
    await lockUser(tx, creator.id)
    const known = await lockPlan(tx, offer.id)
    if (known) {
      if (known.creatorId !== creator.id) throw new ApiError('conflict')
      return
    }
    if ((await countRunningPlans(tx, creator.id, now)) >= MAX_PLANS) throw new ApiError('plan_limit')
    const { id, name, price } = offer
    const createdAt = new Date(now)
    const owner = await addPlanOnce(tx, {
      ...changeOf(offer),
      id,
      name,
      price,
      creatorId: creator.id,
      createdAt,
      settlesAt: settlesAt(now),
    })
    if (owner !== creator.id) throw new ApiError('conflict')
    await enqueue('membership.open-plans', { creatorId: creator.id }, { seconds: SETTLING })
  })
}

/**
 * Changes an own plan.
 * @throws ApiError `not_found`; `conflict` after its end was announced
 */
export async function changeOwnPlan(deps: Deps, creator: Viewer, id: string, change: Change): Promise<void> {
  await mayOffer(deps, creator)
  await deps.transaction(async ({ tx, enqueue }) => {
    const { endsAt, ...before } = await lockOwnPlan(tx, creator.id, id)
    if (endsAt !== null) throw new ApiError('conflict')
    const { price = before.price, opens_cheaper: opensCheaper = before.opensCheaper } = change
    const isPriced = price !== before.price
    const isOpened = isPriced || opensCheaper !== before.opensCheaper
    await setPlan(tx, id, { ...changeOf(change), ...(isOpened && { settlesAt: settlesAt(deps.clock()) }) })
    if (isOpened) await enqueue('membership.open-plans', { creatorId: creator.id }, { seconds: SETTLING })
    if (isPriced)
      await enqueue('membership.plan-price', { planId: id, price, after: '' }, { seconds: SETTLING })
  })
}

/**
 * Announces the end of an own plan; the same day again changes nothing.
 * @param day `YYYY-MM-DD`, in Asia/Tokyo
 * @throws ApiError `not_found`; `conflict` if another day was announced; `invalid` for a day too early or too late
 */
export async function announcePlanEnd(deps: Deps, creatorId: string, id: string, day: string): Promise<void> {
  const now = deps.clock()
  await deps.transaction(async ({ tx, enqueue }) => {
    const { endsAt } = await lockOwnPlan(tx, creatorId, id)
    if (endsAt?.getTime() === endOfDay(day)) return
    if (endsAt !== null) throw new ApiError('conflict')
    const members = (await findOwnPlan(tx, creatorId, id, now))?.members ?? 0
    const problem = endDayProblem(day, members > 0, now)
    if (problem) throw new ApiError('invalid', { ends_on: problem })
    await setPlanEnd(tx, id, endOfDay(day))
    await enqueue('membership.plan-closing', { planId: id, after: '' })
  })
}

/** Plans are for adults with an approved identity check. */
async function mayOffer({ db, clock }: Deps, creator: Viewer): Promise<void> {
  if (ageOn(creator.birthDate, clock()) < MIN_AGE) throw new ApiError('under_age')
  if (!(await isIdentified(db, creator.id))) throw new ApiError('identity_required')
}

async function lockOwnPlan(tx: Db, creatorId: string, id: string) {
  const plan = await lockPlan(tx, id)
  if (plan?.creatorId !== creatorId) throw new ApiError('not_found')
  return plan
}

/** The columns of the fields that a request has. */
function changeOf(it: Change): PlanChange {
  return {
    ...(it.name !== undefined && { name: it.name }),
    ...(it.price !== undefined && { price: it.price }),
    ...(it.description !== undefined && { description: it.description }),
    ...(it.thanks !== undefined && { thanks: it.thanks }),
    ...(it.accepts_members !== undefined && { acceptsMembers: it.accepts_members }),
    ...(it.member_limit !== undefined && { memberLimit: it.member_limit }),
    ...(it.opens_cheaper !== undefined && { opensCheaper: it.opens_cheaper }),
    ...(it.back_numbers !== undefined && { backNumbers: it.back_numbers }),
  }
}
