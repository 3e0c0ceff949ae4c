// Members of plans: a creator's, and the plans that a person has joined.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { planView } from './plans.ts'

const cursor = v.optional(v.pipe(v.string(), v.maxLength(200)))

/** The members of an own plan, newest first, without people who are leaving, suspended or blocked. */
export const listPlanMembers = endpoint({
  name: 'listPlanMembers',
  method: 'GET',
  path: '/plans/:plan_id/members',
  audience: 'member',
  summary: '自分のプランのメンバー',
  params: v.object({ plan_id: id }),
  query: v.object({ cursor }),
  reply: v.object({
    members: v.array(v.object({ person: personView, joined_at: instant })),
    next: v.nullable(v.string()),
  }),
  errors: ['unauthenticated', 'not_found'],
})

const joinedPlan = v.object({
  ...planView.entries,
  creator: personView,
  joined_at: instant,
  /** When the membership ends; null while it continues. */
  ends_at: v.nullable(instant),
})
export type JoinedPlan = v.InferOutput<typeof joinedPlan>

/** The plans of which the person is a member now, newest first. */
export const listJoinedPlans = endpoint({
  name: 'listJoinedPlans',
  method: 'GET',
  path: '/plans/joined',
  audience: 'member',
  summary: '加入中のプラン',
  query: v.object({ cursor }),
  reply: v.object({ plans: v.array(joinedPlan), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})
