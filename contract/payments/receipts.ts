// Receipts of payments: their content, and issuing them.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { MAX_ADDRESSEE } from '#contract/limits.ts'
import { nameText } from '#contract/rules.ts'
import { purchaseState } from './history.ts'

/** To whom a receipt is made out, as the buyer typed it: one line. */
export const addressee = nameText(MAX_ADDRESSEE)

const yen = v.pipe(v.number(), v.integer())

/** One issue; an issue is never replaced. */
const issue = v.object({
  issue: v.pipe(v.number(), v.integer(), v.minValue(1)),
  addressee: v.string(),
  issued_at: instant,
})

/**
 * The content of a receipt (decisions 066 and 136), also before it is issued. Of an issued one, seller and number are those of the
 * latest issue.
 */
const receiptView = v.object({
  payment_id: id,
  kind: v.picklist(['post', 'plan']),
  /** The month that a plan's payment paid; null for a post. */
  period: v.nullable(v.object({ from: instant, until: instant })),
  /** The title of the post; absent without one, and for a plan. */
  title: v.optional(v.string()),
  /** Tax included. */
  amount: yen,
  /** Percent of the price without tax. */
  tax_percent: yen,
  /** Consumption tax inside the amount. */
  tax: yen,
  state: purchaseState,
  paid_at: instant,
  /** When all of it was refunded. */
  refunded_at: v.nullable(instant),
  /** What is refunded; servers of an earlier version leave it out. */
  refunded_amount: v.optional(yen, 0),
  seller: v.object({
    id,
    name: v.string(),
    /** The name by law, where the receipt may have it (decision 136); null where it has the name of the app alone. */
    legal_name: v.optional(v.nullable(v.string()), null),
    /** `T` and 13 digits; null where the seller had none on the day of the payment. */
    registration_number: v.nullable(v.pipe(v.string(), v.regex(/^T\d{13}$/))),
  }),
  /** Whether it is a qualified invoice of the seller, which the operator issues for them. */
  is_invoice: v.optional(v.boolean(), false),
  /** The operator, who receives the payment on behalf of the seller; null where none is configured. */
  recipient: v.nullable(v.string()),
  /** Null before the first issue. */
  issued: v.nullable(
    v.object({
      /** `R-2026-000001`: the year of the first issue in Asia/Tokyo, and a number of that year. */
      number: v.string(),
      addressee: v.string(),
      issued_at: instant,
      /** The latest issue. */
      last_issued_at: instant,
      /** 1 for the first issue; more for a reissue, which the receipt has to say. */
      count: v.pipe(v.number(), v.integer(), v.minValue(1)),
      /** Whether an earlier issue had another addressee, which the receipt has to say. */
      readdressed: v.optional(v.boolean(), false),
      /** Every issue, the first one first. */
      issues: v.optional(v.array(issue), []),
    }),
  ),
})
export type ReceiptView = v.InferOutput<typeof receiptView>

const params = v.object({ payment_id: id })

/** The receipt of one of the member's purchases. `not_found` for payments of others and those that were not paid. */
export const getReceipt = endpoint({
  name: 'getReceipt',
  method: 'GET',
  path: '/payments/:payment_id/receipt',
  audience: 'member',
  whileLeaving: true,
  whileSuspended: true,
  summary: '領収書',
  params,
  reply: receiptView,
  errors: ['unauthenticated', 'not_found'],
})

/**
 * Issues the receipt of a purchase, or issues it again with the same number, also for another addressee. `conflict`: the
 * card company examines the charge.
 */
export const issueReceipt = endpoint({
  name: 'issueReceipt',
  method: 'POST',
  path: '/payments/:payment_id/receipt',
  audience: 'member',
  whileLeaving: true,
  whileSuspended: true,
  summary: '領収書を発行します',
  params,
  body: v.object({ addressee }),
  reply: receiptView,
  errors: ['unauthenticated', 'not_found', 'conflict'],
})
