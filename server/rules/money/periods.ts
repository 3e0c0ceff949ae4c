// Monthly periods of a plan, by days in Asia/Tokyo, which has no summer time.

const TOKYO_MS = 9 * 3600_000
/** The last day of the month that every month has. */
const LAST_DAY = 28

/** A moment as a date whose UTC fields are those of Asia/Tokyo. */
const inTokyo = (at: number) => new Date(at + TOKYO_MS)

/**
 * The day of the month on which a membership is charged, `ac1` of the provider's form: the day of joining, and the 28th for
 * later days, so that every month has it.
 * @param joinedAt ms since 1970
 * @returns 1 to 28
 */
export function chargeDayOf(joinedAt: number): number {
  return Math.min(inTokyo(joinedAt).getUTCDate(), LAST_DAY)
}

/**
 * The end of a period that was charged at this moment: the start of the charge day in the next month.
 * @param chargedAt ms since 1970
 * @param chargeDay 1 to 28
 * @returns ms since 1970
 */
export function periodEnd(chargedAt: number, chargeDay: number): number {
  const day = inTokyo(chargedAt)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, chargeDay) - TOKYO_MS
}
