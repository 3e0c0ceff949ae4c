// Adjustments by admins: search, refunds and disputes of payments, and what each books.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { earlierChargeRef } from '#contract/payments/earlier-refs.ts'
import { postTexts } from '#contract/posts/bought-version.ts'
import { personView } from '#contract/people/people.ts'
import { purchaseState } from '#contract/payments/history.ts'
import { maxLength } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'
import { disputeStates, MAX_ADJUSTMENT_REASON, MAX_DISPUTE_FEE } from './limits.ts'

const yen = v.pipe(v.number(), v.integer())

/** Why an admin makes an adjustment. The people it is about read it. */
export const adjustmentReason = v.pipe(
  v.string('malformed'),
  v.transform((it) => asLines(it).trim()),
  v.nonEmpty('required'),
  maxLength(MAX_ADJUSTMENT_REASON),
)

/** With `true`, the reply is what would be booked, and nothing is changed. */
export const preview = v.boolean()

/** The entries of the ledger that an adjustment books; their lines add up to zero. */
export const bookedReply = v.object({
  entries: v.array(
    v.object({
      cause: v.string(),
      lines: v.array(
        v.object({
          /** Name of the account (decision 063). */
          account: v.string(),
          /** Whether it is the creator's, and not the platform's. */
          of_creator: v.boolean(),
          /** Whole yen; positive for a debit. */
          amount: yen,
        }),
      ),
    }),
  ),
  /** Whether it is done, and not only shown. */
  done: v.boolean(),
  /** Whether a second member of staff has to make the same act, since its amount is above the limit of one. */
  waits: v.optional(v.boolean(), false),
})
export type BookedReply = v.InferOutput<typeof bookedReply>

const adjustedPayment = v.object({
  id,
  kind: v.picklist(['post', 'plan']),
  /** Null when it was deleted. */
  post_id: v.nullable(id),
  plan_id: v.nullable(id),
  /** Whole yen, tax included. */
  amount: yen,
  /** Of it, what is refunded. */
  refunded_amount: yen,
  /** Basis points. */
  fee_rate: yen,
  state: purchaseState,
  paid_at: instant,
  /** The provider's number of the charge; servers of the version before leave it out. */
  charge_ref: v.optional(v.string(), ''),
  ...earlierChargeRef,
  buyer: personView,
  creator: personView,
  /**
   * The texts of a post that is disputed, or was changed after the order: as they were bought, and as they are now. Absent otherwise, and
   * from servers of the version before.
   */
  sold_texts: v.optional(
    v.object({ bought: postTexts, current: postTexts, changed_at: v.nullable(instant) }),
  ),
  refunds: v.array(
    v.object({
      id,
      amount: yen,
      /** '' for a refund by a rule. */
      reason: v.string(),
      created_at: instant,
      /** Whether the provider has returned the money. */
      returned: v.boolean(),
    }),
  ),
  disputes: v.array(
    v.object({
      id,
      state: v.picklist(disputeStates),
      amount: yen,
      fee: yen,
      reason: v.string(),
      opened_at: instant,
      decided_at: v.nullable(instant),
    }),
  ),
})
export type AdjustedPayment = v.InferOutput<typeof adjustedPayment>

/** Longest search, characters. */
export const MAX_ADJUSTMENT_SEARCH = 200

/**
 * Finds a payment by its id, the provider's number or the number of its receipt, or a person by id, handle or email with the last
 * 50 purchases. Each search that finds something is in the audit log.
 */
export const searchAdjustments = endpoint({
  name: 'searchAdjustments',
  method: 'GET',
  path: '/admin/adjustments',
  audience: 'staff:money',
  summary: '支払いまたはユーザーの検索（閲覧は記録されます）',
  query: v.object({
    q: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(MAX_ADJUSTMENT_SEARCH)),
  }),
  reply: v.object({
    /** The person that was searched; null when a payment or nothing was found. */
    person: v.nullable(personView),
    payments: v.array(adjustedPayment),
  }),
  errors: ['unauthenticated', 'not_found'],
})

/** `forbidden`: of the admin's own purchase or sale, which another admin adjusts. */
const errors = ['unauthenticated', 'not_found', 'forbidden', 'validation_required', 'conflict'] as const

/**
 * Refunds a part of a payment, or what is left of it, which closes what it opened. `conflict`: the payment is not paid, `left` is
 * something else by now, or `amount` is more than it.
 */
export const refundByAdmin = endpoint({
  name: 'refundByAdmin',
  method: 'POST',
  path: '/admin/payments/:payment_id/refund',
  audience: 'staff:money',
  summary: '支払いの全部または一部を返金します',
  params: v.object({ payment_id: id }),
  body: v.object({
    /** A UUID that the device chooses; a repeat changes nothing. */
    id,
    amount: v.pipe(yen, v.minValue(1)),
    /** What earlier refunds have left, as the admin saw it. */
    left: yen,
    reason: adjustmentReason,
    preview,
  }),
  reply: bookedReply,
  errors,
})

/**
 * Records that the card company has taken what is left of a payment. `conflict`: the payment is not paid, or `left` is something
 * else by now.
 */
export const disputeByAdmin = endpoint({
  name: 'disputeByAdmin',
  method: 'POST',
  path: '/admin/payments/:payment_id/dispute',
  audience: 'staff:money',
  summary: 'チャージバックを記録します',
  params: v.object({ payment_id: id }),
  body: v.object({
    id,
    /** What the provider charges for it. */
    fee: v.pipe(yen, v.minValue(0), v.maxValue(MAX_DISPUTE_FEE)),
    left: yen,
    reason: adjustmentReason,
    preview,
  }),
  reply: bookedReply,
  errors,
})

/** `covered`: the dispute is lost, and the platform bears the creator's share. */
export const disputeOutcomes = ['won', 'lost', 'covered'] as const

/** Records the card company's decision. `conflict`: it is decided. */
export const decideDispute = endpoint({
  name: 'decideDispute',
  method: 'POST',
  path: '/admin/disputes/:dispute_id/decision',
  audience: 'staff:money',
  summary: 'チャージバックの結果を記録します',
  params: v.object({ dispute_id: id }),
  body: v.object({ outcome: v.picklist(disputeOutcomes), preview }),
  reply: bookedReply,
  errors,
})
