// Rules of a stored bank account: its holder, and how long a change holds payouts.
import { BANK_ACCOUNT_HELD_MS, type NameCheck } from '#contract/payouts/bank-account.ts'
import { foldTransferKana } from './transfer-kana.ts'

/** A name as two of them are compared: as a transfer file has it, without spaces; undefined if it cannot have it. */
function comparable(name: string): string | undefined {
  const folded = foldTransferKana(name)
  return folded.is === 'folded' ? folded.text.replaceAll(' ', '') : undefined
}

/**
 * Compares the holder of an account with the reading of a legal name.
 * @param holder by the accountNameCard rule
 * @param legalNameKana by the same rule; '' without one
 */
export function nameCheckOf(holder: string, legalNameKana: string): NameCheck {
  const kana = comparable(legalNameKana)
  if (kana === undefined) return 'unknown'
  return comparable(holder) === kana ? 'same' : 'differs'
}

/** Whether a transfer file can have this holder. */
export const isTransferable = (holder: string): boolean => comparable(holder) !== undefined

/**
 * Until when payouts are held after an account was stored.
 * @param isFirst whether the person never had an account: without one, nothing could be paid to it instead
 * @param now ms since 1970
 * @returns ms since 1970; null for none
 */
export const heldUntilOf = (isFirst: boolean, now: number): number | null =>
  isFirst ? null : now + BANK_ACCOUNT_HELD_MS

/** The account number as emails and pages show it. @param lastDigits the last 3 of 7 */
export const maskedNumber = (lastDigits: string): string => `＊＊＊＊${lastDigits}`
