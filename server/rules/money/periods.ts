// Months, years and periods of a plan in Asia/Tokyo, which has no summer time.

/** Asia/Tokyo is ahead of UTC by so much the whole year, ms. */
export const TOKYO_MS = 9 * 3600_000
/** The last day of the month that every month has. */
const LAST_DAY = 28

/** A moment as a date whose UTC fields are those of Asia/Tokyo. */
const inTokyo = (at: number) => new Date(at + TOKYO_MS)

/**
 * The first moment of a month and of the next one.
 * @param month `YYYY-MM`
 * @returns ms since 1970
 */
export function monthRange(month: string): { readonly from: number; readonly to: number } {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))]
  return { from: Date.UTC(year, number - 1) - TOKYO_MS, to: Date.UTC(year, number) - TOKYO_MS }
}

/** The year of a moment. @param at ms since 1970 */
export const yearOf = (at: number): number => inTokyo(at).getUTCFullYear()

/**
 * The day of the month on which a membership is charged, which the provider is told: the day of joining, and the 28th for
 * later days, so that every month has it.
 * @param joinedAt ms since 1970
 * @returns 1 to 28
 */
export function chargeDayOf(joinedAt: number): number {
  return Math.min(inTokyo(joinedAt).getUTCDate(), LAST_DAY)
}

/**
 * The end of the period in which this moment is: the next start of the charge day. A charge after a failed one, and a
 * late notice, may come in the month after that in which the period began.
 * @param chargedAt ms since 1970
 * @param chargeDay 1 to 28
 * @returns ms since 1970
 */
export function periodEnd(chargedAt: number, chargeDay: number): number {
  const day = inTokyo(chargedAt)
  const months = day.getUTCDate() < chargeDay ? 0 : 1
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, chargeDay) - TOKYO_MS
}

/**
 * The start of a period that ends at this moment: the same day of the month before.
 * @param until end of a period, ms since 1970
 * @returns ms since 1970
 */
export function periodStart(until: number): number {
  const day = inTokyo(until)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - 1, day.getUTCDate()) - TOKYO_MS
}

/** The day of a moment in Asia/Tokyo, `YYYY-MM-DD`. @param at ms since 1970 */
export const dayOf = (at: number): string => inTokyo(at).toISOString().slice(0, 10)

/** The month of a moment in Asia/Tokyo, `YYYY-MM`. @param at ms since 1970 */
export const monthOf = (at: number): string => dayOf(at).slice(0, 7)

/** The month that is so many months later. @param month `YYYY-MM` @param months negative for earlier ones */
export function monthAfter(month: string, months = 1): string {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))]
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7)
}

/** The day that is so many days later. @param day `YYYY-MM-DD` */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * 3600_000).toISOString().slice(0, 10)

/** The first moment of a day in Asia/Tokyo and of the next one. @param day `YYYY-MM-DD` @returns ms since 1970 */
export function dayRange(day: string): { readonly from: number; readonly to: number } {
  const from = Date.parse(`${day}T00:00:00Z`) - TOKYO_MS
  return { from, to: from + 24 * 3600_000 }
}

/**
 * The calendar days that a payment opens, today included.
 * @param now ms since 1970
 * @param until the end of the period, ms
 */
export const daysUntil = (now: number, until: number): number =>
  (dayRange(dayOf(until)).from - dayRange(dayOf(now)).from) / (24 * 3600_000)
