// Shares of a sale: rounding, and no yen lost.
import { expect, test } from 'vitest'
import { sharesOf, taxInside } from './fees.ts'

test.each([
  [110, 10],
  [109, 9],
  [1000, 90],
  [10, 0],
  [11, 1],
  [0, 0],
])('%i yen include %i yen of tax', (amount, tax) => expect(taxInside(amount)).toBe(tax))

test.each([
  [1000, 1000, { fee: 91, feeTax: 9, creator: 900 }],
  [100, 1000, { fee: 10, feeTax: 0, creator: 90 }],
  [999, 1000, { fee: 90, feeTax: 9, creator: 900 }],
  [50_000, 1000, { fee: 4546, feeTax: 454, creator: 45_000 }],
  [333, 1250, { fee: 38, feeTax: 3, creator: 292 }],
  [500, 0, { fee: 0, feeTax: 0, creator: 500 }],
  [500, 10_000, { fee: 455, feeTax: 45, creator: 0 }],
])('%i yen at %i basis points', (amount, rate, shares) => expect(sharesOf(amount, rate)).toEqual(shares))

test('the shares of every price add up to it, and none is negative', () => {
  for (const rate of [0, 1, 999, 1000, 3333, 10_000])
    for (let amount = 100; amount <= 50_000; amount += 7) {
      const { fee, feeTax, creator } = sharesOf(amount, rate)
      expect(fee + feeTax + creator).toBe(amount)
      expect(Math.min(fee, feeTax, creator)).toBeGreaterThanOrEqual(0)
    }
})
