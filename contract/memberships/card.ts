// Changing the card of a membership.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { begunPayment, yen } from '#contract/payments/payments.ts'
import { personView } from '#contract/people/people.ts'
import { planView } from '#contract/plans/plans.ts'
import { cardAct } from './card-acts.ts'

const params = v.object({ membership_id: id })

/**
 * What a member confirms before the card is changed. `conflict`: nothing more is charged. `plan_closed`: the plan ends before another
 * month. `already_joined`: the membership has ended, and the member has the plan again.
 */
export const getMembershipCard = endpoint({
  name: 'getMembershipCard',
  method: 'GET',
  path: '/memberships/:membership_id/card',
  audience: 'member',
  summary: 'お支払い方法の変更の内容',
  params,
  reply: v.object({
    act: cardAct,
    plan: planView,
    creator: personView,
    /** Yen a month that the member agreed to, or has confirmed from the next charge on. */
    price: yen,
    /** When the month after this form is charged. */
    next_charge_at: instant,
    charge_day: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(28)),
    joined_at: instant,
    /** Until when a membership that ended unpaid can be continued; null for one that runs. */
    return_until: v.nullable(instant),
  }),
  errors: ['unauthenticated', 'not_found', 'conflict', 'plan_closed', 'already_joined'],
})

/**
 * Begins the form by which the card of an own membership is changed, or returns the one that was begun before. It is possible also
 * while nothing new is sold. The card before is charged until the provider reports the new one.
 */
export const changeMembershipCard = endpoint({
  name: 'changeMembershipCard',
  method: 'POST',
  path: '/memberships/:membership_id/card',
  audience: 'member',
  summary: 'プランのお支払い方法を変更します',
  params,
  body: v.object({
    /** Chosen by the device, so that a repeated request begins one payment. */
    payment_id: id,
    /** What the page showed. */
    act: cardAct,
    price: yen,
  }),
  reply: begunPayment,
  errors: [
    'unauthenticated',
    'under_age',
    'not_found',
    'conflict',
    'plan_closed',
    'already_joined',
    'price_changed',
    'payment_limit',
    'sales_paused',
    'unavailable',
  ],
})
