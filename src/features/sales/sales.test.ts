// Months and days of sales, and the address of their CSV file.
import { expect, test } from 'vitest'
import { csvAddress, daysOf, monthAfter, monthsBetween } from './sales.ts'

test.each([
  ['2026-11', 1, '2026-12'],
  ['2026-12', 1, '2027-01'],
  ['2026-01', -1, '2025-12'],
  ['2026-03', -14, '2025-01'],
])('the month after %s by %i is %s', (month, by, after) => {
  expect(monthAfter(month, by)).toBe(after)
})

test('months between two are listed from the latest on', () => {
  expect(monthsBetween('2025-11', '2026-01')).toEqual(['2026-01', '2025-12', '2025-11'])
  expect(monthsBetween('2026-02', '2026-01')).toEqual([])
})

test.each([
  ['2026-02', 28],
  ['2028-02', 29],
  ['2026-11', 30],
])('%s has %i days', (month, days) => {
  expect(daysOf(month)).toHaveLength(days)
  expect(daysOf(month).at(-1)).toBe(`${month}-${days}`)
})

test('the address of a file has the filter and the encoding', () => {
  expect(csvAddress({ month: '2026-11', kind: 'plan' }, 'shift_jis')).toBe(
    '/api/sales/entries.csv?month=2026-11&kind=plan&encoding=shift_jis',
  )
})
