// What the operator's bank took for a transfer file, as an admin records it.
import * as v from 'valibot'
import { bookedReply, preview } from '#contract/adjustments/adjustments.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'

/** The most that can be recorded for each transfer of a file, yen. Banks take less than 1,000. */
export const MAX_BANK_FEE_OF_TRANSFER = 5000
/** Larger than the limit of any file, yen. */
const MAX_BANK_FEE = 99_999_999

export const bankFee = v.object({
  id,
  /** Whole yen for all transfers of the file together, tax included. */
  fee: v.number(),
  recorded_at: instant,
  /** Null when the row of the admin is gone. */
  actor: v.nullable(personView),
})
export type BankFeeView = v.InferOutput<typeof bankFee>

/**
 * Records what the bank took for a file, also for transfers that came back, once each payout of it has a result; another record corrects the
 * one before, which stays. The same id again changes nothing. `conflict`: a payout has no result, the file was voided, another record was
 * made since `replaces`, or the id is taken. `invalid` with `fee`: `too_large` for the number of transfers, `unchanged` by a correction.
 */
export const recordBankFee = endpoint({
  name: 'recordBankFee',
  method: 'POST',
  path: '/admin/payouts/exports/:export_id/bank-fees',
  audience: 'staff:money',
  summary: '総合振込のファイルについて銀行が引いた手数料を記録します',
  params: v.object({ export_id: id }),
  body: v.object({
    /** A UUID that the device chooses. */
    id,
    /** Whole yen for all transfers of the file together, tax included. */
    fee: v.pipe(
      v.number('required'),
      v.integer('malformed'),
      v.minValue(0, 'too_small'),
      v.maxValue(MAX_BANK_FEE, 'too_large'),
    ),
    /** The latest record of the file, as the page showed it; null for none. */
    replaces: v.nullable(id),
    preview,
  }),
  reply: bookedReply,
  errors: ['unauthenticated', 'not_found', 'validation_required', 'conflict'],
})
