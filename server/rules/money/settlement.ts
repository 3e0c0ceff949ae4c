// Which day a settlement of the payment provider may have.
import { dayOf } from './periods.ts'

/**
 * What is wrong with the day of a transfer: nothing can have been transferred before the first entry of the ledger.
 * @param day `YYYY-MM-DD` in Asia/Tokyo
 * @param firstEntryAt ms since 1970; undefined while the ledger is empty
 * @param now ms since 1970
 * @returns undefined for a day that may be recorded
 */
export function settlementDayProblem(
  day: string,
  firstEntryAt: number | undefined,
  now: number,
): 'too_small' | 'too_large' | undefined {
  if (day > dayOf(now)) return 'too_large'
  return firstEntryAt === undefined || day < dayOf(firstEntryAt) ? 'too_small' : undefined
}
