// Views of plans, for people who may join and for their creators.
import type { OwnPlan, PlanCard } from '#contract/plans/plans.ts'
import { planStateOf } from '#server/rules/plan-state.ts'
import { openPictureOf } from '#server/services/media/picture-sources.ts'
import type { OwnPlanFacts, PlanFacts } from '#server/store/plans/plan-facts.ts'

/** A plan as people see it before they join, at this moment, ms since 1970. */
export function planCardOf(plan: PlanFacts, now: number): PlanCard {
  return {
    id: plan.id,
    name: plan.name,
    price: plan.price,
    description: plan.description,
    picture: plan.picture && openPictureOf(plan.picture),
    state: planStateOf(plan, now),
    ends_at: plan.endsAt?.toISOString() ?? null,
    back_numbers: plan.backNumbers,
    opens_cheaper: plan.opensCheaper,
  }
}

/** A plan as its creator sees it, at this moment, ms since 1970. */
export function ownPlanOf(plan: OwnPlanFacts, now: number): OwnPlan {
  const { nextPicture } = plan
  return {
    ...planCardOf(plan, now),
    next_picture: nextPicture === null ? 'none' : nextPicture === 'failed' ? 'failed' : 'making',
    accepts_members: plan.acceptsMembers,
    member_limit: plan.memberLimit,
    thanks: plan.thanks,
    member_count: plan.members,
    monthly_yen: plan.monthlyYen,
  }
}
