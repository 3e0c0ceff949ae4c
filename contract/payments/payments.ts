// Payments: beginning that of a post, and the state of any.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { MAX_PRICE } from '#contract/limits.ts'
import { surplusOfPayment } from './surplus.ts'

/** A payment can be paid by the form for this long, ms; a late notice still counts. */
export const PAYMENT_OPEN_MS = 2 * 3600_000

/** Whole yen, tax included. */
export const yen = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_PRICE))

export const paymentStates = [
  'created',
  'pending',
  'paid',
  'refused',
  'expired',
  'refunded',
  'disputed',
  /** Its form took no money, and registered a card. */
  'registered',
] as const
const paymentState = v.picklist(paymentStates)

/**
 * An https address without a user, or a path of this server. Browsers read `\` as `/`, pass over tabs and line ends, and take
 * what is before an `@` as a user.
 */
const provided = v.pipe(
  v.string(),
  v.regex(/^(?:https:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?|\/(?![/\\])[^\s\\]*)$/),
)

/** A form of the provider, which the page posts as it is, in this order. */
const form = v.object({
  action: provided,
  fields: v.array(v.object({ name: v.string(), value: v.string() })),
})

/** How the page gets to the provider: it posts a form, or opens an address. */
const start = v.variant('is', [
  v.object({ is: v.literal('form'), form }),
  v.object({ is: v.literal('redirect'), url: provided }),
])
export type PaymentStart = v.InferOutput<typeof start>

/** A begun payment. `start` is null when it cannot be paid any more. */
export const begunPayment = v.object({
  id,
  state: paymentState,
  amount: yen,
  expires_at: instant,
  /** Servers of the version before leave it out. */
  start: v.optional(v.nullable(start)),
  /** The form of `start`, for pages of the version before. */
  form: v.nullable(form),
})

/**
 * Begins the payment of a post, or returns the one that the member began before: by the same id, or for the same post
 * while it is open. `start` is null when it cannot be paid any more.
 */
export const beginPayment = endpoint({
  name: 'beginPayment',
  method: 'POST',
  path: '/payments',
  audience: 'member',
  summary: '投稿の購入を始めます',
  body: v.object({
    /** Chosen by the device, so that a repeated request begins one payment. */
    payment_id: id,
    post_id: id,
    /** The price that the page showed. */
    price: yen,
  }),
  reply: begunPayment,
  errors: [
    'unauthenticated',
    'forbidden',
    'under_age',
    'not_found',
    'conflict',
    'already_bought',
    'price_changed',
    'payment_limit',
    'sales_paused',
    'unavailable',
  ],
})

const surplusCharges = {
  /** Whether a charge paid for nothing and is returned, such as a second one. */
  has_surplus: v.boolean(),
  /** These charges, the newest first; servers of the version before leave them out. */
  surplus: v.optional(v.array(surplusOfPayment), []),
}

/** The state of one of the member's payments. */
export const getPayment = endpoint({
  name: 'getPayment',
  method: 'GET',
  path: '/payments/:payment_id',
  audience: 'member',
  summary: '購入の状態',
  params: v.object({ payment_id: id }),
  reply: v.object({
    id,
    state: paymentState,
    amount: yen,
    /** Null for a plan, and when the post is erased. */
    post_id: v.nullable(id),
    /** The plan of a membership; null for a post, and when the plan is erased. */
    plan_id: v.nullable(id),
    expires_at: instant,
    ...surplusCharges,
  }),
  errors: ['unauthenticated', 'not_found'],
})

const paymentReturn = {
  path: '/payments/:payment_id/return',
  audience: 'open',
  params: v.object({ payment_id: id }),
  reply: v.object({
    state: paymentState,
    kind: v.picklist(['post', 'plan']),
    post_id: v.nullable(id),
    plan_id: v.nullable(id),
    /** The membership whose card it changes; null for every other payment. */
    card_of: v.optional(v.nullable(id), null),
    ...surplusCharges,
  }),
  errors: ['not_found'],
} as const
/** A secret of the payment, which the buyer's browser knows. */
const sessionId = v.object({ session_id: v.pipe(v.string(), v.maxLength(64)) })

/**
 * What the return page may know without a session: the browser knows the payment's session_id. It grants nothing. The
 * secret is in the body, since proxies log addresses.
 */
export const readPaymentReturn = endpoint({
  ...paymentReturn,
  name: 'readPaymentReturn',
  method: 'POST',
  summary: '決済画面から戻ったときの購入の状態',
  body: sessionId,
})

/** As `readPaymentReturn`, for pages of earlier versions. */
export const getPaymentReturn = endpoint({
  ...paymentReturn,
  name: 'getPaymentReturn',
  method: 'GET',
  summary: '決済画面から戻ったときの購入の状態（以前のバージョンの画面用）',
  query: sessionId,
})
