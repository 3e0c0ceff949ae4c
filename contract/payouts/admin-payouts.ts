// Payouts in the hands of the operator: list, decisions, transfer file and the bank's results.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { day, maxLength } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'
import { nameChecks } from './bank-account.ts'
import { payoutLists } from './payout-lists.ts'
import { payoutStates } from './payouts.ts'

const yen = v.pipe(v.number(), v.integer())
/** Longest reason, grapheme clusters. */
export const MAX_PAYOUT_REASON = 200
const reason = v.pipe(
  v.string('malformed'),
  v.transform((it) => asLines(it).trim()),
  v.nonEmpty('required'),
  maxLength(MAX_PAYOUT_REASON),
)

const adminPayout = v.object({
  id,
  number: v.number(),
  creator: personView,
  state: v.picklist(payoutStates),
  amount: yen,
  fee: yen,
  requested_at: instant,
  due_on: day,
  reason: v.string(),
  /** How the account's holder compares with the verified name; null without an account. */
  name_check: v.nullable(v.picklist(nameChecks)),
  /** Until when a changed account holds payouts; null when it does not. */
  held_until: v.nullable(instant),
  /** Whether this admin may put it into a file: not one they approved, where two admins are required. */
  exportable: v.boolean(),
})
export type AdminPayout = v.InferOutput<typeof adminPayout>

/** The next due first, at most 200; of `done` the newest. Each reading is in the audit log. */
export const listAdminPayouts = endpoint({
  name: 'listAdminPayouts',
  method: 'GET',
  path: '/admin/payouts',
  audience: 'admin',
  summary: '振込の一覧（閲覧は記録されます）',
  query: v.object({ list: v.optional(v.picklist(payoutLists), 'open') }),
  reply: v.object({
    payouts: v.array(adminPayout),
    /** Of the whole list; `total` in whole yen, without fees. */
    count: v.number(),
    total: yen,
    /** Whether the operator's own account is configured, without which no file can be made. */
    has_requester: v.boolean(),
  }),
  errors: ['unauthenticated', 'not_found'],
})

/** The most payouts of one request. */
export const MAX_PAYOUTS_AT_ONCE = 500
/** Ids of payouts that were changed; the others were in another state, or may not be changed now. */
const changed = v.object({ changed: v.array(id) })

/** Approves requested payouts whose account is not held. */
export const approvePayouts = endpoint({
  name: 'approvePayouts',
  method: 'POST',
  path: '/admin/payouts/approve',
  audience: 'admin',
  summary: '振込を承認します',
  body: v.object({
    ids: v.pipe(v.array(id), v.minLength(1, 'required'), v.maxLength(MAX_PAYOUTS_AT_ONCE, 'too_many')),
  }),
  reply: changed,
  errors: ['unauthenticated', 'not_found', 'validation_required'],
})

/**
 * `hold` stops a payout, `release` lets it go on, `cancel` puts its amount back into the balance. All but `release` need a
 * reason, which the creator reads.
 */
export const decidePayout = endpoint({
  name: 'decidePayout',
  method: 'POST',
  path: '/admin/payouts/:payout_id/decision',
  audience: 'admin',
  summary: '振込を保留、再開、取り消しします',
  params: v.object({ payout_id: id }),
  body: v.variant('is', [
    v.object({ is: v.literal('hold'), reason }),
    v.object({ is: v.literal('cancel'), reason }),
    v.object({ is: v.literal('release') }),
  ]),
  reply: changed,
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict'],
})

/**
 * Makes the transfer file of the approved payouts that are due on a day or before. The same id again makes no second file.
 * `unavailable`: the operator's account is not configured. `conflict`: there is nothing that this admin may export.
 * `invalid`: `day` is no bank business day, or the file cannot have the payout that `payout` names.
 */
export const exportPayouts = endpoint({
  name: 'exportPayouts',
  method: 'POST',
  path: '/admin/payouts/exports',
  audience: 'admin',
  summary: '総合振込のファイルを作成します',
  body: v.object({
    /** A UUID that the device chooses. */
    id,
    /** A bank business day on which the bank sends the money. */
    day,
  }),
  reply: v.object({ id, count: v.number(), total: yen }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict', 'unavailable'],
})

const payoutExport = v.object({
  id,
  day,
  count: v.number(),
  total: yen,
  made_at: instant,
  has_file: v.boolean(),
})
export type PayoutExport = v.InferOutput<typeof payoutExport>

/** The last 24 files, the newest first. */
export const listPayoutExports = endpoint({
  name: 'listPayoutExports',
  method: 'GET',
  path: '/admin/payouts/exports',
  audience: 'admin',
  summary: '総合振込のファイルの一覧',
  reply: v.object({ exports: v.array(payoutExport) }),
  errors: ['unauthenticated', 'not_found'],
})

/** The file of an export, as it was made. */
export const PAYOUT_FILE_PATH = '/admin/payouts/exports/:export_id/file'

/** What became of an exported payout; `returned` also of a paid one. */
export const settlePayout = endpoint({
  name: 'settlePayout',
  method: 'POST',
  path: '/admin/payouts/:payout_id/result',
  audience: 'admin',
  summary: '振込の結果を記録します',
  params: v.object({ payout_id: id }),
  body: v.variant('is', [
    v.object({ is: v.literal('paid') }),
    v.object({
      is: v.literal('returned'),
      reason,
      /** Whether the bank charges a transfer that it did not send. */
      keeps_fee: v.boolean(),
    }),
  ]),
  reply: changed,
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict'],
})

/** Longest result file, characters of base64. */
export const MAX_RESULT_TEXT = 2_000_000

/** Records all results of the bank's file. `invalid`: a line could not be read, and nothing is recorded. */
export const importPayoutResults = endpoint({
  name: 'importPayoutResults',
  method: 'POST',
  path: '/admin/payouts/results',
  audience: 'admin',
  summary: '銀行の結果ファイルを取り込みます',
  body: v.object({
    file: v.pipe(v.string('malformed'), v.maxLength(MAX_RESULT_TEXT, 'too_long'), v.base64('malformed')),
  }),
  reply: v.object({
    paid: v.number(),
    returned: v.number(),
    /** Numbers that name no exported payout of this amount; nothing is recorded for them. */
    unknown: v.array(v.string()),
  }),
  errors: ['unauthenticated', 'not_found', 'validation_required'],
})
