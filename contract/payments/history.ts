// The purchase history of a member: payments that were paid, and the filters that occur.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { month } from './month.ts'

const states = ['paid', 'refunded', 'disputed'] as const
/** `disputed`: the card company examines the charge. */
export const purchaseState = v.picklist(states)
export type PurchaseState = (typeof states)[number]

/** The seller by the current name: that of every deleted account is the same. */
const seller = v.object({ id, name: v.string() })

const shared = {
  /** The payment's id. */
  id,
  creator: seller,
  /** Whole yen, tax included. */
  amount: v.pipe(v.number(), v.integer()),
  state: purchaseState,
  paid_at: instant,
  /** When all of it was refunded. */
  refunded_at: v.nullable(instant),
  /** What is refunded, whole yen; servers of an earlier version leave it out. */
  refunded_amount: v.optional(v.pipe(v.number(), v.integer()), 0),
  /** Whether a receipt was issued. */
  receipt: v.boolean(),
}

/** A kind of purchase is one option. */
const purchase = v.variant('kind', [
  v.object({
    kind: v.literal('post'),
    /** Null when the post was deleted; after a refund also when its creator has left, or one of the two has blocked the other. */
    post: v.nullable(v.object({ id })),
    /** The post's title; absent without one, and when the post was deleted. */
    title: v.optional(v.string()),
    ...shared,
  }),
  v.object({
    kind: v.literal('plan'),
    /** Null when the plan was erased with its creator's account. */
    plan: v.nullable(v.object({ id, name: v.string() })),
    /** The month that was paid. */
    period: v.object({ from: instant, until: instant }),
    ...shared,
  }),
])
export type Purchase = v.InferOutput<typeof purchase>

/** The member's own payments that were paid, newest first. Purchases without a payment are not listed. */
export const listPayments = endpoint({
  name: 'listPayments',
  method: 'GET',
  path: '/payments',
  audience: 'member',
  whileLeaving: true,
  whileSuspended: true,
  summary: '購入履歴',
  query: v.object({
    cursor: v.optional(v.pipe(v.string(), v.maxLength(200))),
    /** Paid in this month. */
    month: v.optional(month),
    /** Sold by this person. */
    creator: v.optional(id),
  }),
  reply: v.object({ payments: v.array(purchase), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})

/** The months, newest first, and the creators that the member's history has. */
export const listPaymentFilters = endpoint({
  name: 'listPaymentFilters',
  method: 'GET',
  path: '/payments/filters',
  audience: 'member',
  whileLeaving: true,
  whileSuspended: true,
  summary: '購入履歴の月とクリエイター',
  reply: v.object({ months: v.array(month), creators: v.array(seller) }),
  errors: ['unauthenticated'],
})
