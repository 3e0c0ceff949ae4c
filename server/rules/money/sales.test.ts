// Figures of sales, and what of a balance can be paid out.
import { describe, expect, test } from 'vitest'
import { balanceOf, type CauseSums, figuresOf, sharesOfSums, unbookedTax } from './sales.ts'

const row = (cause: CauseSums['cause'], kind: CauseSums['kind'], count: number, gross: number): CauseSums => {
  const fee = Math.trunc(gross / 10)
  const feeTax = Math.trunc(fee / 11)
  return { cause, kind, count, gross, fee: fee - feeTax, feeTax, net: gross - fee }
}
const payout = (cause: CauseSums['cause'], net: number): CauseSums => ({
  ...row(cause, null, 1, 0),
  net,
})

describe('figures', () => {
  test('of nothing are zero, and none is -0', () => {
    expect(Object.values(figuresOf([])).every((it) => Object.is(it, 0))).toBe(true)
  })

  test('divide sales by kind, and what was sold is what everyone got', () => {
    const it = figuresOf([
      row('sale', 'plan', 2, 3000),
      row('sale', 'post', 1, 800),
      row('refund', 'plan', 1, -1500),
    ])
    expect(it).toMatchObject({ plans: 3000, posts: 800, refunds: 1500, sold: 3, refunded: 1, paidOut: 0 })
    expect(it.plans + it.posts - it.refunds).toBe(it.fee + it.feeTax + it.net)
  })

  test('have the tax of all fees together, of which sales of 100 yen each have booked none', () => {
    const sales = [{ ...row('sale', 'post', 12, 1200), fee: 120, feeTax: 0 }]
    expect(figuresOf(sales)).toMatchObject({ fee: 110, feeTax: 10, net: 1080 })
    expect(unbookedTax(sales)).toBe(10)
    const rounding = { ...row('fee_tax_rounding', null, 1, 0), fee: -10, feeTax: 10 }
    expect(figuresOf([...sales, rounding])).toEqual(figuresOf(sales))
  })

  test('of a month with more refunds than sales have a negative tax, rounded towards zero', () => {
    const refunds = [{ ...row('refund', 'post', 3, -300), fee: -30, feeTax: 0 }]
    expect(figuresOf(refunds)).toMatchObject({ fee: -28, feeTax: -2 })
    expect(unbookedTax(refunds)).toBe(-2)
  })

  test('of a day or an item have plans and posts together as sales', () => {
    const rows = [
      row('sale', 'plan', 2, 3000),
      row('sale', 'post', 1, 800),
      row('refund', 'plan', 1, -1500),
    ] as const
    expect(sharesOfSums(rows)).toEqual({ sales: 3800, refunds: 1500, net: 2070 })
  })

  test('count what card companies took as refunds, less what came back, and what the operator paid as sales', () => {
    const it = figuresOf([
      row('sale', 'post', 2, 2000),
      row('dispute', 'post', 2, -2000),
      row('dispute_won', 'post', 1, 1000),
      { ...row('dispute_covered', 'post', 1, 900), fee: 0, feeTax: 0, net: 900 },
      { ...row('complimentary', 'plan', 1, 450), fee: 0, feeTax: 0, net: 450 },
    ])
    expect(it).toMatchObject({
      plans: 450,
      posts: 2000,
      refunds: 100,
      sold: 3,
      refunded: 2,
      net: 2250,
      paidOut: 0,
    })
    expect(it.plans + it.posts - it.refunds).toBe(it.fee + it.feeTax + it.net)
  })

  test('have payouts separately from sales, less those that came back', () => {
    const it = figuresOf([
      row('sale', 'post', 1, 1000),
      payout('payout', -900),
      payout('payout_returned', 650),
      payout('payout_cancelled', 100),
    ])
    expect(it).toMatchObject({ net: 900, paidOut: 150 })
    expect(sharesOfSums([payout('payout', -900)])).toEqual({ sales: 0, refunds: 0, net: 0 })
  })
})

test.each([
  ['sales of the open month wait', 5000, [['sale', 900]], 5900, 5000],
  [
    'a refund of a sale of the open month changes only the total',
    5000,
    [
      ['sale', 900],
      ['refund', -900],
    ],
    5000,
    5000,
  ],
  ['a refund of an earlier sale counts at once', 5000, [['refund', -900]], 4100, 4100],
  [
    'a refund is paid by sales of the open month first',
    5000,
    [
      ['sale', 900],
      ['refund', -450],
    ],
    5450,
    5000,
  ],
  [
    'a payout counts at once',
    5000,
    [
      ['payout', -5000],
      ['sale', 900],
    ],
    900,
    0,
  ],
  [
    'a returned payout is there again',
    5000,
    [
      ['payout', -5000],
      ['payout_returned', 4750],
    ],
    4750,
    4750,
  ],
  ['more refunds than sales leave nothing', 500, [['refund', -900]], -400, 0],
] as const)('of a balance, %s', (_, closing, since, total, available) => {
  const parts = { closing, since: since.map(([cause, net]) => ({ cause, net })) }
  expect(balanceOf(parts)).toEqual({ total, available })
})
