// The rows of a creator's sales as CSV, cell by cell.
import { expect, test } from 'vitest'
import type { SalesEntry } from '#contract/sales/sales.ts'
import { salesCsvHead, salesCsvRow } from './sales-csv.ts'

const sale: SalesEntry = {
  id: 'entry-1',
  // In UTC this is the day before.
  at: '2026-11-30T15:00:00.000Z',
  cause: 'sale',
  kind: 'post',
  item: { id: 'post-1', title: '海の写真' },
  amount: 1000,
  fee: 91,
  fee_tax: 9,
  net: 900,
  payment_id: 'payment-1',
}

const cellsOf = (entry: SalesEntry) =>
  Object.fromEntries(salesCsvRow(entry).map((cell, index) => [salesCsvHead[index], cell]))

test('a sale has its day in Tokyo, what was sold, its shares and its numbers below their heads', () => {
  expect(cellsOf(sale)).toEqual({
    日付: '2026-12-01',
    内容: '販売',
    種類: '有料の投稿',
    対象: '海の写真',
    '金額（円・税込）': '1000',
    '手数料（円・税込）': '100',
    '差引額（円）': '900',
    決済番号: 'payment-1',
    明細番号: 'entry-1',
  })
})

test('a refund of a plan has negative amounts', () => {
  const amounts = { amount: -1000, fee: -91, fee_tax: -9, net: -900 }
  expect(salesCsvRow({ ...sale, cause: 'refund', kind: 'plan', ...amounts }).slice(1, 7)).toEqual([
    '返金',
    'プラン',
    '海の写真',
    '-1000',
    '-100',
    '-900',
  ])
})

test.each([
  ['sale', '販売'],
  ['refund', '返金'],
  ['dispute', 'カード会社による取消'],
  ['dispute_won', '取消の解除'],
  ['dispute_covered', '運営による補填'],
  ['complimentary', '運営による支払い'],
] as const)('the cause %s is %s', (cause, text) => {
  expect(cellsOf({ ...sale, cause })['内容']).toBe(text)
})

test('what an entry does not have is empty', () => {
  const row = salesCsvRow({ ...sale, kind: null, item: null, payment_id: null })
  expect([row[2], row[3], row[7]]).toEqual(['', '', ''])
})

test('a title of several lines is one line', () => {
  const item = { id: 'post-1', title: '朝の海\r\n\n夜の  海' }
  expect(cellsOf({ ...sale, item })['対象']).toBe('朝の海 夜の 海')
})
