// Payouts of a creator's balance to their bank account.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { day } from '#contract/rules.ts'

/**
 * `requested`: taken from the balance. `held`: the operator examines it. `approved`: goes into the next transfer file.
 * `exported`: handed to the bank. `returned`: the bank did not send the money, or it came back. `cancelled`: before it was
 * handed to the bank.
 */
export const payoutStates = [
  'requested',
  'held',
  'approved',
  'exported',
  'paid',
  'returned',
  'cancelled',
] as const
export type PayoutState = (typeof payoutStates)[number]

/**
 * Of a payout to a person abroad: the operator finds out whether tax has to be withheld (`waits`), or has decided it (`done`). Null for
 * other payouts.
 */
export const taxChecks = ['waits', 'done'] as const

const yen = v.pipe(v.number(), v.integer())

const payout = v.object({
  id,
  /** Shown as the number of the transfer. */
  number: v.number(),
  state: v.picklist(payoutStates),
  /** Taken from the balance, whole yen, with the fee of the transfer. */
  amount: yen,
  fee: yen,
  requested_at: instant,
  /** When the bank sends it. */
  due_on: day,
  paid_at: v.nullable(instant),
  /** Why it is held, returned or cancelled, in the operator's words; '' otherwise. */
  reason: v.string(),
  /** The last digits of the account it was sent to; '' before it was handed to the bank. */
  last_digits: v.string(),
  /** Servers of the version before leave out these three. */
  tax_check: v.optional(v.nullable(v.picklist(taxChecks)), null),
  /** Income tax withheld from the transfer, whole yen. */
  withheld: v.optional(yen, 0),
  /** Why so much was withheld, in the operator's words; '' before it was decided. */
  tax_reason: v.optional(v.string(), ''),
})
export type PayoutView = v.InferOutput<typeof payout>

/**
 * Why nothing can be requested now. `no_account`: without a bank account. `too_little`: below the minimum. `this_month`:
 * requested in this month already. `returned`: the last transfer came back, and the account was not changed since.
 */
export const payoutObstacles = ['no_account', 'too_little', 'this_month', 'returned'] as const
export type PayoutObstacle = (typeof payoutObstacles)[number]

/**
 * What becomes of a balance older than six months of a person who is present. `request`: its payout is requested within an hour.
 * `waits`: a payout of this month comes first. `no_account`, `returned`, `suspended`: as reasons of balances (`balance-names.ts`).
 * `cancelled`: staff cancelled its payout, and it is requested in the next month. `unidentified`: the identity check is not approved any more.
 */
export const oldBalanceSteps = [
  'request',
  'waits',
  'no_account',
  'returned',
  'cancelled',
  'unidentified',
  'suspended',
] as const
export type OldBalanceStep = (typeof oldBalanceSteps)[number]

const overview = v.object({
  /** Whether each closed month is paid out without a request. */
  automatic: v.boolean(),
  /** The smallest amount that is paid out, and the fee of a transfer, whole yen. */
  minimum: yen,
  fee: yen,
  /** What a request would take from the balance now, and when it would be sent. */
  available: yen,
  due_on: day,
  /** Whether there is an account whose owner has not declared where they live. Servers of the version before leave it out. */
  asks_residence: v.optional(v.boolean(), false),
  /** Null when it can be requested. */
  obstacle: v.nullable(v.picklist(payoutObstacles)),
  /** What of the balance is older than six months, and what becomes of it. Servers of the version before leave it out. */
  old: v.optional(v.nullable(v.object({ amount: yen, step: v.picklist(oldBalanceSteps) })), null),
  /** The newest first, at most 100. */
  payouts: v.array(payout),
})
export type PayoutOverview = v.InferOutput<typeof overview>

export const getPayouts = endpoint({
  name: 'getPayouts',
  method: 'GET',
  path: '/payouts',
  audience: 'member',
  summary: '振込の状態と履歴',
  reply: overview,
  errors: ['unauthenticated'],
})

/**
 * Requests the payout of the whole available balance. A request with the same id again changes nothing. `conflict`: there is
 * an obstacle, which the overview has. `price_changed`: another amount is available than the page showed.
 */
export const requestPayout = endpoint({
  name: 'requestPayout',
  method: 'POST',
  path: '/payouts',
  audience: 'member',
  summary: '振込を申請します',
  body: v.object({
    /** A UUID that the device chooses. */
    id,
    /** What the page showed. */
    amount: yen,
  }),
  reply: overview,
  errors: ['unauthenticated', 'conflict', 'price_changed'],
})

export const setAutomaticPayouts = endpoint({
  name: 'setAutomaticPayouts',
  method: 'PUT',
  path: '/payouts/automatic',
  audience: 'member',
  summary: '自動の振込を設定します',
  body: v.object({ automatic: v.boolean() }),
  reply: overview,
  errors: ['unauthenticated'],
})
