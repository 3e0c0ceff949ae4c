// What a new account may still pay.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'

/** An account younger than this is new, days. */
export const NEW_ACCOUNT_DAYS = 30

const allowance = v.object({
  /** The most that a new account can pay within 24 hours, whole yen. */
  limit: v.number(),
  /** What is left of it now, whole yen; an open payment of the same thing does not count, since a new one takes its place. */
  left: v.number(),
  /** When this price can be paid: now, once enough of the payments no longer count, or when the account is no longer new. */
  fits_at: instant,
  /** From when on the account has no such limit. */
  ends_at: instant,
})
export type Allowance = v.InferOutput<typeof allowance>

/** Whether a price can be paid by the member's account now. */
export const getAllowance = endpoint({
  name: 'getAllowance',
  method: 'GET',
  path: '/payments/allowance',
  audience: 'member',
  summary: '新しいアカウントが支払える残りの金額',
  query: v.object({
    /** Whole yen. */
    price: v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'malformed'), v.transform(Number)),
    post_id: v.optional(id),
    plan_id: v.optional(id),
    /** The membership of the plan whose card is changed by this payment. */
    card_of: v.optional(id),
  }),
  reply: v.object({
    /** Null without a limit. */
    allowance: v.nullable(allowance),
  }),
  errors: ['unauthenticated'],
})
