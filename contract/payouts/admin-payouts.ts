// Payouts in the hands of the operator: list, decisions, transfer file and the bank's results.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { day, maxLength } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'
import { nameChecks } from './bank-account.ts'
import { bankFee } from './bank-fees.ts'
import { payoutLists } from './payout-lists.ts'
import { payoutStates, taxChecks } from './payouts.ts'

const yen = v.pipe(v.number(), v.integer())
/** Longest reason, grapheme clusters. */
export const MAX_PAYOUT_REASON = 200
const reason = v.pipe(
  v.string('malformed'),
  v.transform((it) => asLines(it).trim()),
  v.nonEmpty('required'),
  maxLength(MAX_PAYOUT_REASON),
)

/**
 * Why a payout cannot be approved, or put into a file, now. `own`: the admin is its creator. `no_account`: it was removed.
 * `held`: it was changed within three days. `unknown_branch`: the directory of banks has it no more. `approve_again`: since the
 * approval the creator was suspended, or stored an account of another name. `other_admin`: this admin has approved it.
 * `practice`: the creator has payments by a practice provider that are not refunded, and money is real. `unwritable`: the file cannot have a name of the account.
 */
export const payoutStops = [
  'practice',
  'own',
  'no_account',
  'held',
  'unknown_branch',
  'approve_again',
  'other_admin',
  'unwritable',
] as const
export type PayoutStop = (typeof payoutStops)[number]

/** A payout by its number that a file does not have. */
const leftOut = v.object({ number: v.number(), why: v.picklist(payoutStops) })
export type LeftOut = v.InferOutput<typeof leftOut>

/** Of the creator's account in the app; `gone`: deleted, with a payout that is still owed. */
export const creatorStates = ['present', 'leaving', 'suspended', 'gone'] as const

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
  /** As the creator sees them. */
  tax_check: v.optional(v.nullable(v.picklist(taxChecks)), null),
  withheld: v.optional(yen, 0),
  tax_reason: v.optional(v.string(), ''),
  /** How the account's holder compares with the verified name; null without an account. */
  name_check: v.nullable(v.picklist(nameChecks)),
  /** Of an account whose holder is not the verified name, until it is sent: what the admin compares. */
  names: v.optional(
    v.nullable(v.object({ holder: v.string(), legal_name: v.string(), legal_name_kana: v.string() })),
    null,
  ),
  /** Until when a changed account holds payouts; null when it does not. */
  held_until: v.nullable(instant),
  creator_state: v.picklist(creatorStates),
  /** Whether it is approved only by itself: the holder is not the verified name, or the creator is not present. */
  single_only: v.boolean(),
  /** Why this admin cannot approve it, or put it into a file; null when they can, and in other states. */
  stop: v.nullable(v.picklist(payoutStops)),
})
export type AdminPayout = v.InferOutput<typeof adminPayout>

/** The next due first, at most 200; of `done` the newest. Each reading is in the audit log. */
export const listAdminPayouts = endpoint({
  name: 'listAdminPayouts',
  method: 'GET',
  path: '/admin/payouts',
  audience: 'staff:money',
  summary: '振込の一覧（閲覧は記録されます）',
  query: v.object({ list: v.optional(v.picklist(payoutLists), 'open') }),
  reply: v.object({
    payouts: v.array(adminPayout),
    /** Of the whole list; `total` in whole yen, without fees and withheld tax. */
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

/**
 * Approves requested payouts without a stop, and approved ones that need it again. Of several at once, those with `single_only`
 * and the admin's own are not changed. `forbidden`: the admin's own payout. `unseen`: a list has not shown one of them to this admin since
 * its account, or what the app knows of its creator, changed; then none is approved.
 */
export const approvePayouts = endpoint({
  name: 'approvePayouts',
  method: 'POST',
  path: '/admin/payouts/approve',
  audience: 'staff:money',
  summary: '振込を承認します',
  body: v.object({
    ids: v.pipe(v.array(id), v.minLength(1, 'required'), v.maxLength(MAX_PAYOUTS_AT_ONCE, 'too_many')),
  }),
  reply: changed,
  errors: ['unauthenticated', 'not_found', 'validation_required', 'forbidden', 'unseen'],
})

/**
 * `hold` stops a payout, `release` lets it go on, `cancel` puts its amount back into the balance. All but `release` need a
 * reason, which the creator reads. `tax` says how much income tax is withheld of a payout to a person abroad, and lets it go on; until
 * then it cannot be released. `invalid` with `withheld: too_large`: nothing would be left to transfer. `forbidden`: releasing the admin's
 * own payout.
 */
export const decidePayout = endpoint({
  name: 'decidePayout',
  method: 'POST',
  path: '/admin/payouts/:payout_id/decision',
  audience: 'staff:money',
  summary: '振込を保留、再開、取り消しし、源泉徴収を決めます',
  params: v.object({ payout_id: id }),
  body: v.variant('is', [
    v.object({ is: v.literal('hold'), reason }),
    v.object({ is: v.literal('cancel'), reason }),
    v.object({ is: v.literal('release') }),
    v.object({
      is: v.literal('tax'),
      /** Whole yen; 0 if nothing has to be withheld. */
      withheld: v.pipe(v.number('malformed'), v.safeInteger('malformed'), v.minValue(0, 'malformed')),
      reason,
    }),
  ]),
  reply: changed,
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict', 'forbidden'],
})

/**
 * Makes the transfer file of the approved payouts that are due on a day or before, without those that have a stop. The same id
 * again makes no second file. `unavailable`: the operator's account is not configured. `conflict`: each payout has a stop, or
 * the file of this id was voided. `invalid`: `day` is no bank business day.
 */
export const exportPayouts = endpoint({
  name: 'exportPayouts',
  method: 'POST',
  path: '/admin/payouts/exports',
  audience: 'staff:money',
  summary: '総合振込のファイルを作成します',
  body: v.object({
    /** A UUID that the device chooses. */
    id,
    /** A bank business day on which the bank sends the money. */
    day,
  }),
  reply: v.object({ id, count: v.number(), total: yen, left_out: v.array(leftOut) }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict', 'unavailable'],
})

const payoutExport = v.object({
  id,
  day,
  count: v.number(),
  total: yen,
  made_at: instant,
  has_file: v.boolean(),
  left_out: v.array(leftOut),
  /** When it was voided, and why; null and '' otherwise. */
  voided_at: v.nullable(instant),
  void_reason: v.string(),
  /** Whether none of its payouts has a result. */
  voidable: v.boolean(),
  /** Whether each of its payouts has a result, so that the fee of the bank can be recorded. */
  settled: v.optional(v.boolean(), false),
  /** What creators bore of the fees of its transfers, whole yen. */
  borne: v.optional(yen, 0),
  /** What the bank took, the first record first: the last one counts. */
  bank_fees: v.optional(v.array(bankFee), []),
  /** Whether the bank has surely told its fee by now, and none is recorded. */
  bank_fee_late: v.optional(v.boolean(), false),
})
export type PayoutExport = v.InferOutput<typeof payoutExport>

/** The last 24 files, and older ones whose bank fee can be recorded and is not, the newest first. */
export const listPayoutExports = endpoint({
  name: 'listPayoutExports',
  method: 'GET',
  path: '/admin/payouts/exports',
  audience: 'staff:money',
  summary: '総合振込のファイルの一覧',
  reply: v.object({ exports: v.array(payoutExport) }),
  errors: ['unauthenticated', 'not_found'],
})

/** The file of an export, as it was made. */
export const PAYOUT_FILE_PATH = '/admin/payouts/exports/:export_id/file'

/**
 * Voids a file that the bank has refused as a whole: it cannot be read any more, and its payouts go into the next file.
 * `conflict`: one of its payouts has a result, or it was voided before. `forbidden`: it has the admin's own payout.
 */
export const voidPayoutExport = endpoint({
  name: 'voidPayoutExport',
  method: 'POST',
  path: '/admin/payouts/exports/:export_id/void',
  audience: 'staff:money',
  summary: '銀行が実行しなかった総合振込のファイルを無効にします',
  params: v.object({ export_id: id }),
  body: v.object({
    reason,
    /** The admin has seen at the bank that it executed none of the transfers. */
    not_executed: v.literal(true, 'required'),
  }),
  reply: v.object({ payouts: v.number() }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict', 'forbidden'],
})

/** What became of an exported payout; `returned` also of a paid one. `forbidden`: the admin's own payout. */
export const settlePayout = endpoint({
  name: 'settlePayout',
  method: 'POST',
  path: '/admin/payouts/:payout_id/result',
  audience: 'staff:money',
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
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict', 'forbidden'],
})

/** Longest result file, characters of base64. */
export const MAX_RESULT_TEXT = 2_000_000

/**
 * Records all results of the bank's file, or none. `invalid`: a line (`line 3`) could not be read, or a field of a transfer
 * (`payout 12 accountNumber`) or of the header (`header requesterCode`) differs from the file that was sent. `forbidden`: it
 * has the admin's own payout (`payout 12`).
 */
export const importPayoutResults = endpoint({
  name: 'importPayoutResults',
  method: 'POST',
  path: '/admin/payouts/results',
  audience: 'staff:money',
  summary: '銀行の結果ファイルを取り込みます',
  body: v.object({
    file: v.pipe(v.string('malformed'), v.maxLength(MAX_RESULT_TEXT, 'too_long'), v.base64('malformed')),
  }),
  reply: v.object({
    paid: v.number(),
    returned: v.number(),
    /** Numbers that name no exported payout, or one whose file was removed; nothing is recorded for them. */
    unknown: v.array(v.string()),
  }),
  errors: ['unauthenticated', 'not_found', 'validation_required', 'forbidden'],
})
