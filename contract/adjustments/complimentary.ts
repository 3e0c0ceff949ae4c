// Complimentary memberships: an admin gives a plan to a member without payments.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { day } from '#contract/rules.ts'
import { adjustmentReason, bookedReply, preview } from './adjustments.ts'
import { MAX_COMPLIMENTARY_YEN } from './limits.ts'

const yen = v.pipe(v.number(), v.integer())

const membership = v.object({
  id,
  member: personView,
  creator: personView,
  /** Null when the plan was erased. */
  plan: v.nullable(v.object({ id, name: v.string() })),
  /** Whole yen that the platform pays the creator. */
  paid: yen,
  reason: v.string(),
  created_at: instant,
  ends_at: instant,
})
export type ComplimentaryView = v.InferOutput<typeof membership>

/** Those that a person has as a member and those of this person's plans, newest first, at most 100; and the plans. */
export const listComplimentary = endpoint({
  name: 'listComplimentary',
  method: 'GET',
  path: '/admin/people/:user_id/complimentary',
  audience: 'staff:money',
  summary: '無料での加入',
  params: v.object({ user_id: id }),
  reply: v.object({
    memberships: v.array(membership),
    /** The person's plans that have not ended. */
    plans: v.array(v.object({ id, name: v.string(), price: yen })),
  }),
  errors: ['unauthenticated', 'not_found'],
})

/**
 * Opens a plan to a member to the end of a day, without payments. `invalid` with `member: unknown_person`, and for
 * a day before today or too far away with `ends_on`.
 * `conflict`: the member has the plan already, or is its creator, or one of the two has blocked the other.
 * `forbidden`: the admin is member or creator, and another admin has to do it.
 */
export const addComplimentary = endpoint({
  name: 'addComplimentary',
  method: 'POST',
  path: '/admin/complimentary',
  audience: 'staff:money',
  summary: '無料で加入してもらいます',
  body: v.object({
    id,
    plan_id: id,
    /** Id, handle or email. */
    member: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(200)),
    /** The last day in Asia/Tokyo. */
    ends_on: day,
    paid: v.pipe(yen, v.minValue(0), v.maxValue(MAX_COMPLIMENTARY_YEN)),
    reason: adjustmentReason,
    preview,
  }),
  reply: bookedReply,
  errors: ['unauthenticated', 'not_found', 'forbidden', 'validation_required', 'conflict'],
})

/** Ends a complimentary membership at once; what the creator was paid stays. `conflict`: it is over. */
export const endComplimentary = endpoint({
  name: 'endComplimentary',
  method: 'POST',
  path: '/admin/complimentary/:complimentary_id/end',
  audience: 'staff:money',
  summary: '無料での加入を終了します',
  params: v.object({ complimentary_id: id }),
  body: v.object({}),
  reply: v.object({ data: v.object({ id }) }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict'],
})
