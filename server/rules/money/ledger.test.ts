// Entries of the ledger balance, and a refund reverses its sale exactly.
import { expect, test } from 'vitest'
import { createRandom } from '#contract/testing/random.ts'
import {
  complimentaryLines,
  disputeCoveredLines,
  disputeFeeLines,
  disputeLines,
  disputeWonLines,
  isBalanced,
  type LedgerLine,
  refundLines,
  refundPaidLines,
  saleLines,
  settlementLines,
  settlementReversedLines,
  surplusLines,
} from './ledger.ts'

const sale = { amount: 1000, feeRate: 1000, creatorId: 'aoi' }

const textOf = (lines: readonly LedgerLine[]) =>
  lines.map((it) => `${it.account}${it.creatorId ? ` of ${it.creatorId}` : ''} ${it.amount}`)

/** Balances of all accounts that are not zero. */
function balances(entries: readonly (readonly LedgerLine[])[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { account, amount } of entries.flat()) sums[account] = (sums[account] ?? 0) + amount
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

test('a sale debits the provider and credits creator, fee and tax', () => {
  expect(textOf(saleLines(sale))).toEqual([
    'provider_receivable 1000',
    'creator_payable of aoi -900',
    'platform_fee -91',
    'fee_tax -9',
  ])
})

test('without a fee an entry has no line of zero yen', () => {
  expect(textOf(saleLines({ ...sale, feeRate: 0 }))).toEqual([
    'provider_receivable 1000',
    'creator_payable of aoi -1000',
  ])
})

test('a refund takes the shares back and owes the buyer the whole amount', () => {
  expect(textOf(refundLines(sale))).toEqual([
    'refunds -1000',
    'creator_payable of aoi 900',
    'platform_fee 91',
    'fee_tax 9',
  ])
})

test('after its refund is paid, a sale leaves nothing on any account', () => {
  expect(balances([saleLines(sale), refundLines(sale)])).toEqual({
    provider_receivable: 1000,
    refunds: -1000,
  })
  expect(balances([saleLines(sale), refundLines(sale), refundPaidLines(1000)])).toEqual({})
})

test('a surplus charge is owed to the buyer at once, and is no income', () => {
  expect(balances([surplusLines(300)])).toEqual({ provider_receivable: 300, refunds: -300 })
  expect(balances([surplusLines(300), refundPaidLines(300)])).toEqual({})
})

test('every entry of any amount and rate balances', () => {
  const { between } = createRandom(15)
  for (let n = 0; n < 5000; n++) {
    const it = { amount: between(1, 50_000), feeRate: between(0, 10_000), creatorId: 'aoi' }
    for (const lines of [saleLines(it), refundLines(it), surplusLines(it.amount), refundPaidLines(it.amount)])
      expect(isBalanced(lines)).toBe(true)
    expect(balances([saleLines(it), refundLines(it), refundPaidLines(it.amount)])).toEqual({})
  }
})

test.each([
  ['a sum that is not zero', [1, -2]],
  ['half a yen', [0.5, -0.5]],
  ['a part of a yen beside whole yen', [1, 0.5, -1.5]],
  ['a number that is not exact', [2 ** 53, -(2 ** 53)]],
])('%s is not balanced', (_, amounts) => {
  expect(isBalanced(amounts.map((amount) => ({ account: 'bank', creatorId: null, amount })))).toBe(false)
})

test('a refund of a part takes back the difference of the shares', () => {
  expect(textOf(refundLines(sale, 1000, 333))).toEqual([
    'refunds -333',
    'creator_payable of aoi 299',
    'platform_fee 31',
    'fee_tax 3',
  ])
})

test('refunds of parts that add up to the price reverse the sale exactly, and none of them gives a share', () => {
  const { between } = createRandom(16)
  for (let n = 0; n < 2000; n++) {
    const it = { amount: between(1, 50_000), feeRate: between(0, 10_000), creatorId: 'aoi' }
    const entries = [saleLines(it)]
    for (let left = it.amount; left > 0;) {
      const amount = between(1, left)
      const lines = refundLines(it, left, amount)
      expect(isBalanced(lines)).toBe(true)
      expect(lines.filter((line) => line.account !== 'refunds' && line.amount < 0)).toEqual([])
      entries.push(lines, refundPaidLines(amount))
      left -= amount
    }
    expect(balances(entries)).toEqual({})
  }
})

test('a dispute takes back what is left, a won one gives it back, and a covered one is the platform’s loss', () => {
  const part = refundLines(sale, 1000, 400)
  expect(textOf(disputeLines(sale, 600))).toEqual([
    'provider_receivable -600',
    'creator_payable of aoi 540',
    'platform_fee 55',
    'fee_tax 5',
  ])
  expect(balances([disputeLines(sale, 600), disputeWonLines(sale, 600)])).toEqual({})
  expect(balances([saleLines(sale), part, refundPaidLines(400), disputeLines(sale, 600)])).toEqual({})
  expect(textOf(disputeCoveredLines(sale, 600))).toEqual([
    'chargeback_loss 540',
    'creator_payable of aoi -540',
  ])
  expect(disputeFeeLines(0)).toEqual([])
  expect(textOf(disputeFeeLines(1500))).toEqual(['provider_fee 1500', 'provider_receivable -1500'])
})

test.each([
  [{ received: 970, fee: 30 }, ['bank 970', 'provider_fee 30', 'provider_receivable -1000']],
  [{ received: 1000, fee: 0 }, ['bank 1000', 'provider_receivable -1000']],
  [{ received: 1, fee: 500 }, ['bank 1', 'provider_fee 500', 'provider_receivable -501']],
])(
  'a settlement %j moves what the provider owes to bank and fee, and its reversal moves it back',
  (it, lines) => {
    expect(textOf(settlementLines(it))).toEqual(lines)
    expect(isBalanced(settlementLines(it))).toBe(true)
    expect(balances([settlementLines(it), settlementReversedLines(it)])).toEqual({})
  },
)

test('a settlement of a sale leaves nothing that the provider owes', () => {
  const entries = [saleLines(sale), settlementLines({ received: 968, fee: 32 })]
  expect(balances(entries)).toMatchObject({ bank: 968, provider_fee: 32 })
  expect(balances(entries)).not.toHaveProperty('provider_receivable')
})

test('the platform pays for a complimentary membership, or books nothing', () => {
  expect(textOf(complimentaryLines(450, 'aoi'))).toEqual(['complimentary 450', 'creator_payable of aoi -450'])
  expect(complimentaryLines(0, 'aoi')).toEqual([])
})
