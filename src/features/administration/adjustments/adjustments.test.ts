// How amounts and percentages are typed.
import { expect, test } from 'vitest'
import { rateOf, yenOf } from './adjustments.ts'

test.each([
  ['500', 500],
  ['１，２００円', 1200],
  [' 1,000 ', 1000],
  ['0', undefined],
  ['1001', 1001],
  ['1201', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['', undefined],
])('%j is %j yen of 1 to 1,200', (typed, yen) => expect(yenOf(typed, 1, 1200)).toBe(yen))

test.each([
  ['10', 1000],
  ['8.5%', 850],
  ['０．０５', 5],
  ['100', 10_000],
  ['100.01', undefined],
  ['8.555', undefined],
  ['', undefined],
])('%j percent are %j basis points', (typed, rate) => expect(rateOf(typed)).toBe(rate))
