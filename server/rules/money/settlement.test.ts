// Which days of settlements are taken.
import { expect, test } from 'vitest'
import { settlementDayProblem } from './settlement.ts'

// 2026-05-01 00:30 and 2026-07-10 23:59 in Asia/Tokyo: the day before, and the same day, in UTC.
const FIRST = Date.parse('2026-04-30T15:30:00Z')
const NOW = Date.parse('2026-07-10T14:59:00Z')

test.each([
  ['2026-04-30', 'too_small'],
  ['2026-05-01', undefined],
  ['2026-06-15', undefined],
  ['2026-07-10', undefined],
  ['2026-07-11', 'too_large'],
  ['2027-01-01', 'too_large'],
])('%s is %j', (day, problem) => expect(settlementDayProblem(day, FIRST, NOW)).toBe(problem))

test('a new day begins at midnight in Asia/Tokyo', () => {
  expect(settlementDayProblem('2026-07-11', FIRST, NOW + 60_000)).toBeUndefined()
})

test('no day is taken while the ledger is empty', () => {
  expect(settlementDayProblem('2026-07-10', undefined, NOW)).toBe('too_small')
})
