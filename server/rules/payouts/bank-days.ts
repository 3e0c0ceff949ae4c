// Bank business days in Japan, and the day on which a month is paid out.
import holidayJp from '@holiday-jp/holiday_jp'

const DAY = 24 * 3600_000
/** Days with a national holiday, substitute holidays included, by `YYYY-MM-DD`. */
const holidays: Readonly<Record<string, unknown>> = holidayJp.holidays
/** The first and last year of the list. Equinoxes after the next year are forecasts: the package is updated each year. */
const [FIRST_YEAR, LAST_YEAR] = [1970, 2050]

/**
 * Whether banks in Japan are open: not on Saturdays, Sundays, national holidays, and from 31 December to 3 January
 * (銀行法施行令第5条).
 * @param day `YYYY-MM-DD`
 * @throws RangeError for a year without a list of holidays, so that no payout is dated to a day that may be a holiday
 */
export function isBankDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`)
  const year = Number(day.slice(0, 4))
  if (Number.isNaN(at) || year < FIRST_YEAR || year > LAST_YEAR)
    throw new RangeError(`no list of holidays for ${day}`)
  const weekday = new Date(at).getUTCDay()
  if (weekday === 0 || weekday === 6 || Object.hasOwn(holidays, day)) return false
  return !/-(?:12-31|01-0[1-3])$/.test(day)
}

/**
 * The last bank business day of a month.
 * @param month `YYYY-MM`
 * @returns `YYYY-MM-DD`
 * @throws RangeError as `isBankDay`
 */
export function lastBankDay(month: string): string {
  let day = dayOf(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0))
  while (!isBankDay(day)) day = dayOf(Date.parse(`${day}T00:00:00Z`) - DAY)
  return day
}

/**
 * The day on which a closed month is paid out: the last bank business day of the next month.
 * @param closed `YYYY-MM`
 * @returns `YYYY-MM-DD`
 * @throws RangeError as `isBankDay`
 */
export function payoutDay(closed: string): string {
  const next = Date.UTC(Number(closed.slice(0, 4)), Number(closed.slice(5)), 1)
  return lastBankDay(dayOf(next).slice(0, 7))
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Bank business days that the operator has between a request and its payout. */
const DAYS_BEFORE = 5

/**
 * The day on which a payout that is requested now is made: the last bank business day of the month, or of the next month
 * when fewer than five bank business days are left before it.
 * @param today `YYYY-MM-DD`
 * @returns `YYYY-MM-DD`
 * @throws RangeError as `isBankDay`
 */
export function dueDay(today: string): string {
  const month = today.slice(0, 7)
  const last = lastBankDay(month)
  let left = 0
  for (let day = today; day < last; day = dayOf(Date.parse(`${day}T00:00:00Z`) + DAY))
    if (isBankDay(day)) left++
  return left >= DAYS_BEFORE ? last : payoutDay(month)
}
