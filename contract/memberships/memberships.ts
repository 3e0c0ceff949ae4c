// Memberships of plans: joining, stopping and changing one, and how its member sees it.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { begunPayment, yen } from '#contract/payments/payments.ts'
import { personView } from '#contract/people/people.ts'
import { planCard, planView } from '#contract/plans/plans.ts'
import { cardAct } from './card-acts.ts'

/**
 * `past_due`: a renewal failed, and the provider tries again. `cancelling`: nothing more is charged, and the plan's posts
 * are open to the end of what was paid.
 */
export const membershipStates = ['active', 'past_due', 'cancelling', 'ended'] as const

/**
 * Why a membership has ended, or ends. `payment_failed`: the provider stopped after failed renewals. `not_paid`: the
 * provider reported neither a charge nor the end of its attempts.
 */
export const endReasons = [
  'cancelled',
  'member_left',
  'creator_left',
  'plan_closed',
  'payment_failed',
  'not_paid',
  'refunded',
  'blocked',
] as const

/** The last month of a card, `YYYY-MM`. */
const cardMonth = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}$/))

/** A paid membership as its member sees it. */
export const membershipView = v.object({
  /** The id of the payment that began it. */
  id,
  state: v.picklist(membershipStates),
  /** Yen a month that the member agreed to. */
  price: yen,
  /** The end of what was paid. */
  paid_until: instant,
  /** When the next month is charged; null when nothing more is charged, or it is not known when. */
  next_charge_at: v.nullable(instant),
  /** Null while it continues. */
  why: v.nullable(v.picklist(endReasons)),
  /** The plan and the price from the next charge on; null without a change. */
  next: v.nullable(planView),
  /** The plan's current price, where it is another one than the member's; null otherwise. */
  offered_price: v.nullable(yen),
  /** Whether a stop, a change or a resumption still has to be made at the provider, by the operator's hand if need be. */
  is_processing: v.boolean(),
  /** Whether its member can take the stop back. */
  can_resume: v.boolean(),
  /** What changing its card would do; null when it cannot be changed now. Servers of the version before leave it out. */
  card: v.optional(v.nullable(cardAct), null),
  /** The last month of the card, from its first day on; null before, and where the provider does not say it. */
  card_expires: v.optional(v.nullable(cardMonth), null),
})
export type MembershipView = v.InferOutput<typeof membershipView>

/** A membership as a warning or a note names it: before an act that stops its charges, and after it. */
export const membershipNote = v.object({
  id,
  /** Names; that of a plan that is erased is ''. */
  plan: v.string(),
  creator: v.string(),
  price: yen,
  paid_until: instant,
  /** Whether another month would be charged. */
  renews: v.boolean(),
})
export type MembershipNote = v.InferOutput<typeof membershipNote>
export type PlanName = Pick<MembershipNote, 'plan' | 'creator'>

/** Whose charges the deletion of an account stops. */
export interface StoppedCharges {
  /** Plans that the person had joined. */
  readonly plans: readonly PlanName[]
  /** The number of members of the person's own plans. */
  readonly members: number
}

/** A running membership of any plan of a creator. */
const running = v.object({ ...membershipView.entries, plan: v.nullable(planView) })
export type RunningMembership = v.InferOutput<typeof running>

/**
 * What a person confirms before joining or changing to a plan. `not_found`: the plan has ended, or its creator is not
 * present or in a block with the person.
 */
export const getPlanOrder = endpoint({
  name: 'getPlanOrder',
  method: 'GET',
  path: '/plans/:plan_id/order',
  audience: 'member',
  summary: 'プランの申込み内容',
  params: v.object({ plan_id: id }),
  reply: v.object({
    plan: planCard,
    creator: personView,
    /** Whether it can be bought: its creator has an approved identity check, and is another person. */
    is_for_sale: v.boolean(),
    /** Whether the person is old enough to pay. */
    is_of_age: v.boolean(),
    /** Whether the person is a member of this plan now, also without payments. */
    is_member: v.boolean(),
    /** The person's membership of this creator that is not ended; null without one. */
    membership: v.nullable(running),
    /** When the second month would be charged after a payment now. */
    next_charge_at: instant,
    /** The day of each month on which it would be charged, 1 to 28. */
    charge_day: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(28)),
    /** The calendar days that the first payment opens, today included, 28 to 31; servers of an earlier version leave it out. */
    first_days: v.optional(v.pipe(v.number(), v.integer())),
    /** The creator's cheaper plans, whose posts it opens too. */
    opens: v.array(planView),
    /** A membership of this plan that ended unpaid, and can be continued as it was; null without one. */
    returning: v.optional(v.nullable(v.object({ id, price: yen, until: instant })), null),
  }),
  errors: ['unauthenticated', 'not_found'],
})

/**
 * Begins the payment of a plan's first month, or returns the one that the member began before: by the same id, or for
 * the same plan while it is open. `form` is null when it cannot be paid any more. `already_joined`: the person is a member
 * of this plan, or has a running membership of another plan of this creator. `plan_closed`: it accepts no members now.
 */
export const beginMembership = endpoint({
  name: 'beginMembership',
  method: 'POST',
  path: '/memberships',
  audience: 'member',
  summary: 'プランへの加入を始めます',
  body: v.object({
    /** Chosen by the device, so that a repeated request begins one payment. */
    payment_id: id,
    plan_id: id,
    /** The monthly price that the page showed. */
    price: yen,
  }),
  reply: begunPayment,
  errors: [
    'unauthenticated',
    'forbidden',
    'under_age',
    'not_found',
    'conflict',
    'already_joined',
    'plan_closed',
    'price_changed',
    'payment_limit',
    'sales_paused',
    'unavailable',
  ],
})

const params = v.object({ membership_id: id })
const reply = membershipView

/** Stops the charges; what was paid stays open to its end. A repeat changes nothing. */
export const cancelMembership = endpoint({
  name: 'cancelMembership',
  method: 'POST',
  path: '/memberships/:membership_id/cancel',
  audience: 'member',
  summary: 'プランを解約します',
  params,
  body: v.object({}),
  reply,
  errors: ['unauthenticated', 'not_found'],
})

/**
 * Takes a stop back before the end of what was paid: the next charge is at that end. A repeat changes nothing.
 * `conflict`: it has ended, or it was stopped for another reason. `price_changed`: the price is another one than the
 * page showed.
 */
export const resumeMembership = endpoint({
  name: 'resumeMembership',
  method: 'POST',
  path: '/memberships/:membership_id/resume',
  audience: 'member',
  summary: 'プランの解約を取り消します',
  params,
  body: v.object({ price: yen }),
  reply,
  errors: ['unauthenticated', 'not_found', 'conflict', 'price_changed'],
})

/**
 * Changes to another plan of the creator, or agrees to the plan's current price, from the next charge on. A repeat changes
 * nothing. `conflict`: the membership is not active.
 */
export const changeMembership = endpoint({
  name: 'changeMembership',
  method: 'PUT',
  path: '/memberships/:membership_id/next',
  audience: 'member',
  summary: '次のお支払いからプランか月額を変更します',
  params,
  body: v.object({ plan_id: id, price: yen }),
  reply,
  errors: ['unauthenticated', 'not_found', 'conflict', 'plan_closed', 'price_changed'],
})

/** Takes a change back before its charge. Without one it changes nothing. */
export const revokeMembershipChange = endpoint({
  name: 'revokeMembershipChange',
  method: 'DELETE',
  path: '/memberships/:membership_id/next',
  audience: 'member',
  summary: 'プランの変更を取り消します',
  params,
  reply,
  errors: ['unauthenticated', 'not_found'],
})
