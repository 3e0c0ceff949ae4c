// From which day a creator's fee rate may be changed.
import { expect, test } from 'vitest'
import { firstDayOfRate } from './fee-change.ts'

const at = (text: string) => Date.parse(`${text}+09:00`)

test.each([
  ['a lower rate', 900, 1000, '2026-11-28T12:00:00', '2026-11-29'],
  ['the same rate', 1000, 1000, '2026-11-28T12:00:00', '2026-11-29'],
  ['a rate that is higher by one basis point', 1001, 1000, '2026-11-28T12:00:00', '2026-12-28'],
  // In UTC both moments are on the 28th.
  ['a higher rate in the last second of a day', 1200, 1000, '2026-11-28T23:59:59', '2026-12-28'],
  ['a higher rate at midnight', 1200, 1000, '2026-11-29T00:00:00', '2026-12-29'],
  ['a lower rate on the last day of a year', 0, 1000, '2026-12-31T23:59:59', '2027-01-01'],
])('%s (%i after %i basis points, at %s) begins on %s at the earliest', (_, rate, before, now, day) => {
  expect(firstDayOfRate(rate, before, at(now))).toBe(day)
})
