// The period of a plan's payment, as the history shows it.
import { expect, test } from 'vitest'
import { periodText } from './period.ts'

test('a period ends with the last day that it includes, in Tokyo', () => {
  expect(periodText({ from: '2026-12-10T03:00:00.000Z', until: '2027-01-09T15:00:00.000Z' })).toBe(
    '12月10日〜1月9日の1か月分',
  )
})
