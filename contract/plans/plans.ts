// Plans of a creator, which members join.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/ids.ts'

export const planView = v.object({
  id,
  name: v.string(),
  /** Yen a month, tax included. */ price: v.number(),
})
export type PlanView = v.InferOutput<typeof planView>

/** The signed-in creator's own plans, cheapest first. */
export const listOwnPlans = endpoint({
  name: 'listOwnPlans',
  method: 'GET',
  path: '/plans/own',
  audience: 'member',
  summary: '自分のプラン',
  reply: v.object({ plans: v.array(planView) }),
  errors: ['unauthenticated'],
})
