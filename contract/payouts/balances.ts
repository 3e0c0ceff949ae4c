// Balances that are not paid out by themselves, in the hands of the operator.
import * as v from 'valibot'
import { MAX_ADJUSTMENT_REASON } from '#contract/adjustments/limits.ts'
import { bookedReply } from '#contract/adjustments/adjustments.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { maxLength } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'
import { creatorStates } from './admin-payouts.ts'
import { balanceReasons, clearingKinds } from './balance-names.ts'

const yen = v.pipe(v.number(), v.integer())
const params = v.object({ creator_id: id })

const strandedBalance = v.object({
  creator: personView,
  creator_state: v.picklist(creatorStates),
  /** Negative when more was returned to buyers than the creator had left. */
  total: yen,
  /** The part that is older than six months. */
  old: yen,
  /** At least one, in the order of their names. */
  reasons: v.array(v.picklist(balanceReasons)),
  /** Whether the address and the legal name of a deleted account are still stored. */
  has_contact: v.boolean(),
  /** Whether the last payout of a deleted account can be requested by `requestLastPayout`. */
  can_request: v.boolean(),
  /** Whether it can be cleared by hand: the account is deleted or suspended. */
  can_clear: v.boolean(),
})
export type StrandedBalance = v.InferOutput<typeof strandedBalance>

/**
 * Balances without a bank account, of suspended and deleted accounts, negative ones, those whose payout came back, and those older
 * than six months; the largest first. Each reading is in the audit log.
 */
export const listStrandedBalances = endpoint({
  name: 'listStrandedBalances',
  method: 'GET',
  path: '/admin/balances',
  audience: 'staff:money',
  summary: '自動では振り込まれない残高（閲覧は記録されます）',
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  reply: v.object({ balances: v.array(strandedBalance), next: v.nullable(v.string()) }),
  errors: ['unauthenticated', 'not_found'],
})

/** How to reach the person of a deleted account about their balance. `not_found`: it is settled, or nothing was stored. */
export const readPayeeContact = endpoint({
  name: 'readPayeeContact',
  method: 'POST',
  path: '/admin/balances/:creator_id/contact',
  audience: 'staff:money',
  summary: '削除されたアカウントの残高の連絡先を表示します（閲覧は記録されます）',
  params,
  reply: v.object({ email: v.string(), legal_name: v.string(), legal_name_kana: v.string() }),
  errors: ['unauthenticated', 'not_found', 'validation_required'],
})

/**
 * Has the last payout of a deleted account requested all the same: it was suspended, or its payout came back or was cancelled.
 * `conflict`: nothing of this prevents it.
 */
export const requestLastPayout = endpoint({
  name: 'requestLastPayout',
  method: 'POST',
  path: '/admin/balances/:creator_id/payout',
  audience: 'staff:money',
  summary: '削除されたアカウントの最後の振込を申請します',
  params,
  reply: v.object({ data: v.object({ id }) }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict'],
})

/**
 * Records what an admin has done about a balance of a deleted or suspended account, once for each id. `conflict`: the balance is another
 * one than the page showed, or the amount goes beyond it.
 */
export const clearBalance = endpoint({
  name: 'clearBalance',
  method: 'POST',
  path: '/admin/balances/:creator_id/clearings',
  audience: 'staff:money',
  summary: '残高の精算を記録します',
  params,
  body: v.object({
    /** A UUID that the device chooses. */
    id,
    is: v.picklist(clearingKinds, 'required'),
    amount: v.pipe(v.number('required'), v.integer('malformed'), v.minValue(1, 'malformed')),
    /** What the page showed. */
    total: yen,
    /** With `true`, nothing is changed. Pages of the version before leave it out. */
    preview: v.optional(v.boolean(), false),
    reason: v.pipe(
      v.string('malformed'),
      v.transform((it) => asLines(it).trim()),
      v.nonEmpty('required'),
      maxLength(MAX_ADJUSTMENT_REASON),
    ),
  }),
  reply: v.object({ total: yen, booked: v.optional(bookedReply) }),
  errors: ['unauthenticated', 'not_found', 'forbidden', 'validation_required', 'conflict'],
})
