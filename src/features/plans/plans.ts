// Queries of plans, and the form's values.
import * as v from 'valibot'
import { MAX_MEMBER_LIMIT } from '#contract/limits.ts'
import { listPlanMembers } from '#contract/plans/members.ts'
import { backNumbers, listOwnPlans, type OwnPlan, planTexts } from '#contract/plans/plans.ts'
import { listPosts } from '#contract/posts/posts.ts'
import { typedPrice } from '#contract/posts/price.ts'
import { numeric, orBlank, typed } from '#contract/rules.ts'
import { pagesFor, queryFor } from '#src/domain/queries/query.ts'
import { number } from '#src/lib/format.ts'

export const ownPlansQuery = queryFor(listOwnPlans, {})
export const membersQuery = (planId: string) => pagesFor(listPlanMembers, { params: { plan_id: planId } })

/** The own posts that a plan opens, newest first. */
export const planPostsQuery = (author: string, plan: string) =>
  pagesFor(listPosts, { query: { author, plan } })

/** A typed price as yen. Its problem is shown by `priceProblemText`. */
const typedYen = v.pipe(
  typed,
  v.rawTransform<string, number>(({ dataset, addIssue, NEVER }) => {
    const read = typedPrice(dataset.value)
    if ('yen' in read) return read.yen
    addIssue({ message: read.problem })
    return NEVER
  }),
)

/** A typed limit of members; null when it is empty. */
const typedLimit = v.pipe(
  orBlank(
    v.pipe(
      numeric,
      v.integer('number'),
      v.minValue(1, 'too_small'),
      v.maxValue(MAX_MEMBER_LIMIT, 'too_large'),
    ),
  ),
  v.transform((it) => (it === '' ? null : it)),
)

/** The plan form. */
export const planForm = v.object({
  ...planTexts,
  price: typedYen,
  member_limit: typedLimit,
  accepts_members: v.boolean(),
  opens_cheaper: v.boolean(),
  back_numbers: backNumbers,
})

export interface PlanValues extends Record<string, string | boolean> {
  name: string
  price: string
  description: string
  thanks: string
  member_limit: string
  accepts_members: boolean
  opens_cheaper: boolean
  back_numbers: string
}

/** Values of the form of a new plan. */
export const newValues: PlanValues = {
  name: '',
  price: '',
  description: '',
  thanks: '',
  member_limit: '',
  accepts_members: true,
  opens_cheaper: true,
  back_numbers: 'all',
}

/** Values of the form of an existing plan. */
export function valuesOf(plan: OwnPlan): PlanValues {
  return {
    name: plan.name,
    price: number(plan.price),
    description: plan.description,
    thanks: plan.thanks,
    member_limit: plan.member_limit === null ? '' : number(plan.member_limit),
    accepts_members: plan.accepts_members,
    opens_cheaper: plan.opens_cheaper,
    back_numbers: plan.back_numbers,
  }
}
