// Fee rates of single creators, which an admin sets from a day on.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { day } from '#contract/rules.ts'
import { adjustmentReason, bookedReply, preview } from './adjustments.ts'

/** Basis points of the price, tax included: 1000 is 10 %. */
const rate = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000))
const params = v.object({ user_id: id })

/** The rates of a creator, those that begin last first, at most 100. */
export const listFeeRates = endpoint({
  name: 'listFeeRates',
  method: 'GET',
  path: '/admin/people/:user_id/fee-rates',
  audience: 'staff:money',
  summary: 'クリエイターの手数料',
  params,
  reply: v.object({
    /** The rate of creators without an own one. */
    usual: rate,
    /** The creator's rate today. */
    current: rate,
    rates: v.array(
      v.object({
        id,
        first_day: day,
        rate,
        reason: v.string(),
        created_at: instant,
        /** Null when the admin's account was deleted. */
        actor: v.nullable(personView),
      }),
    ),
  }),
  errors: ['unauthenticated', 'not_found'],
})

/**
 * Sets the rate of a creator from a day on: tomorrow at the earliest, and a higher one in 30 days. An email tells the creator.
 * The reply has what a sale of 1,000 yen books at this rate. `invalid` with `first_day: too_small` for an earlier
 * day. `forbidden`: the admin's own rate, which another admin sets.
 */
export const addFeeRate = endpoint({
  name: 'addFeeRate',
  method: 'POST',
  path: '/admin/people/:user_id/fee-rates',
  audience: 'staff:money',
  summary: 'クリエイターの手数料を変更します',
  params,
  body: v.object({ id, first_day: day, rate, reason: adjustmentReason, preview }),
  reply: bookedReply,
  errors: ['unauthenticated', 'not_found', 'forbidden', 'validation_required', 'conflict'],
})
