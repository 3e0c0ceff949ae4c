// Settlements: transfers of the payment provider to the operator's bank account, which an admin records.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { day } from '#contract/rules.ts'
import { keepsTo } from '#contract/text/text-rule.ts'
import { adjustmentReason, bookedReply, preview } from './adjustments.ts'
import { MAX_SETTLEMENT_FEE, MAX_SETTLEMENT_REFERENCE, MAX_SETTLEMENT_YEN } from './limits.ts'

const yen = v.pipe(v.number(), v.integer())

const settlement = v.object({
  id,
  /** The day of the transfer in Asia/Tokyo. */
  day,
  /** Whole yen on the bank account. */
  received: yen,
  /** Whole yen that the provider deducted, tax included. */
  fee: yen,
  reference: v.string(),
  recorded_at: instant,
  /** Null when the admin's account was deleted. */
  actor: v.nullable(personView),
  reversal: v.nullable(v.object({ reason: v.string(), at: instant, actor: v.nullable(personView) })),
})
export type SettlementView = v.InferOutput<typeof settlement>

/** The 100 settlements that were recorded last, newest first, and what the provider owes. */
export const listSettlements = endpoint({
  name: 'listSettlements',
  method: 'GET',
  path: '/admin/settlements',
  audience: 'staff:money',
  summary: '決済代行会社からの入金の一覧',
  query: v.object({}),
  reply: v.object({
    /** What the provider owes to the platform, whole yen; negative when it has paid more than was booked. */
    balance: yen,
    /** The first and the last day that may be recorded, in Asia/Tokyo; null while the ledger is empty. */
    days: v.nullable(v.object({ first: day, last: day })),
    settlements: v.array(settlement),
  }),
  errors: ['unauthenticated', 'not_found'],
})

const settledReply = v.object({
  ...bookedReply.entries,
  /** What the provider owes after it, whole yen. */
  balance: yen,
})
export type SettledReply = v.InferOutput<typeof settledReply>

const errors = ['unauthenticated', 'not_found', 'validation_required', 'conflict'] as const

/**
 * Records a transfer of the provider. It may be more than the provider owes by the ledger: the reply has the balance after it.
 * `invalid` with `day: too_small` before the first entry of the ledger, and `too_large` after today. `conflict`: another one was
 * recorded since `latest`, or the id is taken.
 */
export const addSettlement = endpoint({
  name: 'addSettlement',
  method: 'POST',
  path: '/admin/settlements',
  audience: 'staff:money',
  summary: '決済代行会社からの入金を記録します',
  body: v.object({
    /** A UUID that the device chooses; a repeat changes nothing. */
    id,
    day,
    received: v.pipe(yen, v.minValue(1), v.maxValue(MAX_SETTLEMENT_YEN)),
    fee: v.pipe(yen, v.minValue(0), v.maxValue(MAX_SETTLEMENT_FEE)),
    /** Of the provider's statement; '' without one. */
    reference: v.pipe(
      v.string('malformed'),
      v.trim(),
      keepsTo({ max: MAX_SETTLEMENT_REFERENCE, shape: 'name' }),
    ),
    /** The settlement that was recorded last, as the admin saw it; null for none. */
    latest: v.nullable(id),
    preview,
  }),
  reply: settledReply,
  errors,
})

/** Books the reverse of a settlement that was typed wrongly. `conflict`: it is reversed. */
export const reverseSettlement = endpoint({
  name: 'reverseSettlement',
  method: 'POST',
  path: '/admin/settlements/:settlement_id/reversal',
  audience: 'staff:money',
  summary: '入金の記録を取り消します',
  params: v.object({ settlement_id: id }),
  body: v.object({ reason: adjustmentReason, preview }),
  reply: settledReply,
  errors,
})
