// How numbers of readers and the rate of purchases are written.
import { expect, test } from 'vitest'
import { rateText, readersText } from './creator.ts'

test.each([
  [{ count: 0, is_few: false }, '0人'],
  [{ count: 5, is_few: false }, '5人'],
  [{ count: 1234, is_few: false }, '1,234人'],
  [{ count: 1, is_few: true }, '5人未満'],
  [{ count: 13, is_few: true }, '13人以上'],
])('%j readers are written as %s', (readers, text) => {
  expect(readersText(readers)).toBe(text)
})

test.each([
  [{ count: 200, is_few: false }, 13, '6.5'],
  [{ count: 3000, is_few: false }, 1, '0'],
  [{ count: 7, is_few: false }, 9, '100'],
  [{ count: 0, is_few: false }, 0, undefined],
  [{ count: 7, is_few: true }, 1, undefined],
])('of %j people at the gate, %d purchases are %s percent', (gates, purchases, text) => {
  expect(rateText(gates, purchases)).toBe(text)
})
