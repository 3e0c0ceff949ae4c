// Charges that paid for nothing, as their buyer sees them.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'

/**
 * Why a charge paid for nothing. `bought`: another one had paid for it. `open`: it is read without
 * paying. `gone`: it could not be sold any more. `changed`: the charge
 * was another one than the buyer had confirmed. `ended`: the membership was over.
 */
export const surplusReasons = ['bought', 'open', 'gone', 'changed', 'ended'] as const
export type SurplusReason = (typeof surplusReasons)[number]

const surplus = {
  /** Whole yen, all of which is returned. */
  amount: v.pipe(v.number(), v.integer()),
  /** Null for a charge that an earlier version recorded. */
  reason: v.nullable(v.picklist(surplusReasons)),
  charged_at: instant,
  /** When the provider returned it; null until then. */
  returned_at: v.nullable(instant),
}
export const surplusOfPayment = v.object(surplus)
export type SurplusOfPayment = v.InferOutput<typeof surplusOfPayment>

const surplusCharge = v.object({
  /** The charge's id. */
  id,
  payment_id: id,
  kind: v.picklist(['post', 'plan']),
  /** The seller by the current name. */
  creator: v.object({ id, name: v.string() }),
  ...surplus,
})
export type SurplusCharge = v.InferOutput<typeof surplusCharge>

/** The member's own charges that paid for nothing, newest first, at most 50. */
export const listSurplusCharges = endpoint({
  name: 'listSurplusCharges',
  method: 'GET',
  path: '/payments/surplus',
  audience: 'member',
  whileLeaving: true,
  whileSuspended: true,
  summary: '成立しなかった購入の請求',
  reply: v.object({ charges: v.array(surplusCharge) }),
  errors: ['unauthenticated'],
})
