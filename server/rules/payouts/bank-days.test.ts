// Tests bank business days against a list that was made by hand from calendars.
import holidayJp from '@holiday-jp/holiday_jp'
import { describe, expect, test } from 'vitest'
import { dueDay, isBankDay, lastBankDay, payoutDay } from './bank-days.ts'

/** The last bank business day of each month, January first, read from printed calendars. */
const lastDays: Record<number, readonly number[]> = {
  2026: [30, 27, 31, 30, 29, 30, 31, 31, 30, 30, 30, 30],
  2027: [29, 26, 31, 30, 31, 30, 30, 31, 30, 29, 30, 30],
  2028: [31, 29, 31, 28, 31, 30, 31, 31, 29, 31, 30, 29],
  // 29 April is a Sunday, so the 30th is its substitute holiday.
  2029: [31, 28, 30, 27, 31, 29, 31, 31, 28, 31, 30, 28],
  2030: [31, 28, 29, 30, 31, 28, 31, 30, 30, 31, 29, 30],
}

const two = (it: number) => String(it).padStart(2, '0')

describe.each(Object.entries(lastDays))('%s', (year, days) => {
  test('the last bank business day of each month is that of the calendar', () => {
    const expected = days.map((day, index) => `${year}-${two(index + 1)}-${two(day)}`)
    expect(days.map((_, index) => lastBankDay(`${year}-${two(index + 1)}`))).toEqual(expected)
  })

  test('a month is paid out on the last bank business day of the next one', () => {
    const closed = days.map((_, index) => (index === 0 ? `${Number(year) - 1}-12` : `${year}-${two(index)}`))
    const expected = days.map((day, index) => `${year}-${two(index + 1)}-${two(day)}`)
    expect(closed.map(payoutDay)).toEqual(expected)
  })
})

test.each<[day: string, open: boolean, why: string]>([
  ['2026-01-03', false, 'a Saturday within the closed days of the new year'],
  ['2026-01-05', true, 'the first Monday after them'],
  ['2026-05-04', false, 'みどりの日'],
  ['2026-05-06', false, 'the substitute of 憲法記念日, which is a Sunday'],
  ['2026-05-07', true, 'the Thursday after the holidays of May'],
  ['2026-09-22', false, 'a day between two holidays'],
  ['2026-09-24', true, 'the day after 秋分の日'],
  ['2027-03-22', false, 'the substitute of 春分の日'],
  ['2027-01-04', true, 'a Monday, the fourth of January'],
  ['2026-12-31', false, 'New Year’s Eve, a Thursday'],
  ['2026-12-30', true, 'the day before, a Wednesday'],
  ['2028-01-03', false, 'the third of January, a Monday without a holiday'],
  ['2028-02-29', true, 'a Tuesday, the 29th of February'],
  ['2026-11-28', false, 'a Saturday'],
  ['2026-11-29', false, 'a Sunday'],
])('%s: open is %s (%s)', (day, open, _why) => {
  expect(isBankDay(day)).toBe(open)
})

test('a year without a list of holidays is refused instead of taken for one without holidays', () => {
  const noList = (day: string) => new RangeError(`no list of holidays for ${day}`)
  expect(() => isBankDay('2051-03-01')).toThrow(noList('2051-03-01'))
  expect(() => isBankDay('1969-12-01')).toThrow(noList('1969-12-01'))
  expect(() => payoutDay('2050-12')).toThrow(RangeError)
  expect(() => isBankDay('2026-02-xx')).toThrow(RangeError)
})

test.each([
  ['1970-01-05', true, 'a Monday'],
  ['1970-01-15', false, '成人の日'],
  ['2050-12-30', true, 'a Friday'],
  ['2050-11-03', false, '文化の日'],
])('the first and the last year of the list count: %s: open is %s (%s)', (day, open, _why) => {
  expect(isBankDay(day)).toBe(open)
})

test('the list has the holidays of every year to 2050', () => {
  const years = new Set(Object.keys(holidayJp.holidays).map((day) => day.slice(0, 4)))
  for (let year = 1970; year <= 2050; year++) expect(years).toContain(String(year))
  expect(years).not.toContain('2051')
})

test.each([
  ['2026-12-01', '2026-12-30', 'the first day of a month'],
  ['2026-12-23', '2026-12-30', 'five bank business days before'],
  ['2026-12-24', '2027-01-29', 'four bank business days before'],
  ['2026-12-31', '2027-01-29', 'after the last bank business day'],
  ['2027-01-30', '2027-02-26', 'a Saturday after it'],
])('a payout that is requested on %s is made on %s (%s)', (today, day, _why) => {
  expect(dueDay(today)).toBe(day)
})
