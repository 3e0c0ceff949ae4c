// What the bank took for a transfer file: its limit, and its ledger lines.
import { MAX_BANK_FEE_OF_TRANSFER } from '#contract/payouts/bank-fees.ts'
import type { LedgerLine } from '#server/rules/money/ledger.ts'
import { monthAfter, monthOf } from '#server/rules/money/periods.ts'

/** The largest fee that can be recorded for a file, whole yen. @param transfers of the file */
export const mostBankFee = (transfers: number): number => transfers * MAX_BANK_FEE_OF_TRANSFER

/**
 * Books what the bank took beyond what is booked of it so far: at first the fees that creators bore, then the record before.
 * @param fee whole yen that the bank took for all transfers of the file
 * @param booked whole yen that the account of the bank has of them
 * @returns none when both are the same
 */
export function bankFeeLines(fee: number, booked: number): LedgerLine[] {
  const more = fee - booked
  if (more === 0) return []
  return [
    { account: 'transfer_fee_difference', creatorId: null, amount: more },
    { account: 'bank', creatorId: null, amount: -more },
  ]
}

/**
 * Whether the statement of the bank surely has the fee of a file: banks that do not take it with the transfers take it in the next month.
 * @param day of the transfers, `YYYY-MM-DD`
 * @param now ms since 1970
 */
export const isFeeLate = (day: string, now: number): boolean => monthOf(now) > monthAfter(day.slice(0, 7))
