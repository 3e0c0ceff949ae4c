// Members of plans: a creator's, and the plans that a person has joined.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { endReasons, membershipView } from '#contract/memberships/memberships.ts'
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

/**
 * The members of all own plans, newest first, without people who are leaving, suspended or blocked, and without those whose
 * dearer plan opens a cheaper one.
 */
export const searchMembers = endpoint({
  name: 'searchMembers',
  method: 'GET',
  path: '/members',
  audience: 'member',
  summary: '自分のすべてのプランのメンバー',
  query: v.object({
    cursor,
    /** A part of the name or the handle, in any width and case; '' for all. */
    q: v.optional(v.pipe(v.string(), v.maxLength(100)), ''),
    plan: v.optional(id),
  }),
  reply: v.object({
    members: v.array(v.object({ person: personView, plan: planView, joined_at: instant })),
    next: v.nullable(v.string()),
  }),
  errors: ['unauthenticated'],
})

const joinedPlan = v.object({
  ...planView.entries,
  creator: personView,
  joined_at: instant,
  /** When the membership ends; null while it continues. */
  ends_at: v.nullable(instant),
  /** What the person pays; null for a plan that was given without payments. */
  membership: v.optional(v.nullable(membershipView), null),
})
export type JoinedPlan = v.InferOutput<typeof joinedPlan>

/** A paid membership that has ended lately, after which the person has joined no plan of the creator. */
const endedMembership = v.object({
  id,
  /** Null when the plan is erased. */
  plan: v.nullable(planView),
  creator: personView,
  ended_at: instant,
  why: v.picklist(endReasons),
  /** Whether the plan can be joined again. */
  can_join: v.boolean(),
  /** Until when it can be continued as it was, since it ended unpaid; null where it cannot. */
  return_until: v.optional(v.nullable(instant), null),
})
export type EndedMembership = v.InferOutput<typeof endedMembership>

/** The plans of which the person is a member now, newest first, without those that a dearer plan opens. */
export const listJoinedPlans = endpoint({
  name: 'listJoinedPlans',
  method: 'GET',
  path: '/plans/joined',
  audience: 'member',
  summary: '加入中のプラン',
  query: v.object({ cursor }),
  reply: v.object({
    plans: v.array(joinedPlan),
    /** Of the last 60 days, newest first, at most 10; only on the first page. */
    ended: v.optional(v.array(endedMembership), []),
    next: v.nullable(v.string()),
  }),
  errors: ['unauthenticated'],
})
