// Months, charge days and ends of periods, in Asia/Tokyo.
import { expect, test } from 'vitest'
import {
  chargeDayOf,
  dayAfter,
  dayOf,
  dayRange,
  monthAfter,
  monthOf,
  monthRange,
  daysUntil,
  periodEnd,
  periodStart,
  yearOf,
} from './periods.ts'

const at = (text: string) => Date.parse(`${text}+09:00`)

test.each([
  ['2026-11-01T00:00', 1],
  ['2026-11-27T23:59', 27],
  ['2026-11-28T12:00', 28],
  ['2027-01-29T00:00', 28],
  ['2027-01-31T23:59', 28],
  // In UTC this is the day before.
  ['2026-11-05T08:00', 5],
])('a membership that began on %s is charged on day %i', (joined, day) => {
  expect(chargeDayOf(at(joined))).toBe(day)
})

test.each([
  ['2026-11-05T12:00', 5, '2026-12-05T00:00'],
  ['2026-12-05T00:30', 5, '2027-01-05T00:00'],
  ['2027-01-31T23:59', 28, '2027-02-28T00:00'],
  ['2028-02-28T01:00', 28, '2028-03-28T00:00'],
  // The provider tried again until the next day.
  ['2026-12-06T03:00', 5, '2027-01-05T00:00'],
  ['2026-12-01T00:00', 1, '2027-01-01T00:00'],
  // The provider tried again until the next month began.
  ['2027-03-03T09:00', 28, '2027-03-28T00:00'],
  ['2027-01-01T00:00', 28, '2027-01-28T00:00'],
])('a charge on %s for day %i pays until %s', (charged, day, end) => {
  expect(periodEnd(at(charged), day)).toBe(at(end))
})

test('the first period of every day of joining lasts 28 to 31 days, to the start of a day', () => {
  for (let joined = at('2026-01-01T23:59'); joined < at('2029-01-01T00:00'); joined += 24 * 3600_000) {
    const days = (periodEnd(joined, chargeDayOf(joined)) - joined) / (24 * 3600_000)
    expect(days).toBeGreaterThan(27)
    expect(days).toBeLessThan(31)
  }
})

test.each([
  ['2026-12-05T00:00', '2026-11-05T00:00'],
  ['2027-01-28T00:00', '2026-12-28T00:00'],
  ['2027-03-01T00:00', '2027-02-01T00:00'],
  ['2028-03-28T00:00', '2028-02-28T00:00'],
])('the period until %s began on %s', (until, start) => {
  expect(periodStart(at(until))).toBe(at(start))
})

test('a charge on the charge day begins the period that it pays', () => {
  for (let day = 1; day <= 28; day += 1)
    for (let month = 0; month < 12; month += 1) {
      const charged = Date.UTC(2027, month, day) - 9 * 3600_000
      expect(periodStart(periodEnd(charged, day))).toBe(charged)
    }
})

test.each([
  ['2026-11', '2026-11-01T00:00', '2026-12-01T00:00'],
  ['2026-12', '2026-12-01T00:00', '2027-01-01T00:00'],
  ['2028-02', '2028-02-01T00:00', '2028-03-01T00:00'],
])('the month %s begins at %s and ends at %s', (month, from, to) => {
  expect(monthRange(month)).toEqual({ from: at(from), to: at(to) })
})

test('a year begins and ends in Tokyo', () => {
  const start = at('2027-01-01T00:00')
  expect([yearOf(start - 1), yearOf(start)]).toEqual([2026, 2027])
})

test.each([
  ['2026-11-25T14:59:59.999Z', '2026-11-25', '2026-11'],
  ['2026-11-30T15:00:00.000Z', '2026-12-01', '2026-12'],
])('%s is on %s in Tokyo, and in %s', (moment, day, month) => {
  expect([dayOf(Date.parse(moment)), monthOf(Date.parse(moment))]).toEqual([day, month])
})

test('a day begins at 15:00 UTC of the day before, and has 24 hours', () => {
  const { from, to } = dayRange('2026-11-26')
  expect(from).toBe(Date.parse('2026-11-25T15:00:00Z'))
  expect(to).toBe(dayRange('2026-11-27').from)
})

test.each([
  ['2026-12-31', 1, '2027-01-01'],
  ['2028-02-28', 1, '2028-02-29'],
  ['2026-03-01', -1, '2026-02-28'],
])('the day after %s by %i is %s', (day, days, after) => {
  expect(dayAfter(day, days)).toBe(after)
})

test.each([
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-11', -11, '2025-12'],
])('the month after %s by %i is %s', (month, months, after) => {
  expect(monthAfter(month, months)).toBe(after)
})

test.each([
  ['2026-11-05T23:59', 30],
  ['2026-12-05T00:00', 31],
  ['2027-01-28T12:00', 31],
  // In UTC this is the day before.
  ['2027-01-31T08:00', 28],
  ['2027-02-28T12:00', 28],
])('who joins on %s pays for %i days', (joined, days) => {
  expect(daysUntil(at(joined), periodEnd(at(joined), chargeDayOf(at(joined))))).toBe(days)
})
