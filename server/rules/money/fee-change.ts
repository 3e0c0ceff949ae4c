// From which day a creator's fee rate may be changed.
import { RAISE_NOTICE_DAYS } from '#contract/adjustments/limits.ts'
import { dayAfter, dayOf } from './periods.ts'

/**
 * The first day on which another rate may begin: tomorrow, and for a higher one after a notice to the creator.
 * @param before the rate that the creator has on that day otherwise, basis points
 * @param now ms since 1970
 * @returns `YYYY-MM-DD` in Asia/Tokyo
 */
export function firstDayOfRate(rate: number, before: number, now: number): string {
  return dayAfter(dayOf(now), rate > before ? RAISE_NOTICE_DAYS : 1)
}
