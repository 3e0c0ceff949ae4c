// Rows of the CSV file of purchases.
import { expect, test } from 'vitest'
import type { Purchase } from '#contract/payments/history.ts'
import { rowsOf } from './csv.ts'

test('a purchase is one row, with its days in Tokyo', () => {
  const purchase: Purchase = {
    id: '0192f0c0-0000-7000-8000-000000000000',
    kind: 'post',
    post: null,
    title: '壁紙サイズの原画',
    creator: { id: '0192f0c0-0000-7000-8000-000000000001', name: '海野しお' },
    amount: 50_000,
    state: 'refunded',
    paid_at: '2026-10-31T15:00:00.000Z',
    refunded_at: '2026-11-30T14:59:59.999Z',
    refunded_amount: 50_000,
    receipt: true,
  }
  const [head = [], row = []] = rowsOf([purchase])
  expect(row).toEqual([
    '2026-11-01',
    '有料の投稿',
    '海野しお',
    '50000',
    '返金済み',
    '2026-11-30',
    '50000',
    '発行済み',
    purchase.id,
    '壁紙サイズの原画',
  ])
  expect(row).toHaveLength(head.length)
})

test('a month of a plan is one row of its own kind', () => {
  const purchase: Purchase = {
    id: '0192f0c0-0000-7000-8000-000000000000',
    kind: 'plan',
    plan: { id: '0192f0c0-0000-7000-8000-000000000002', name: '朝の海プラン' },
    period: { from: '2026-12-09T15:00:00.000Z', until: '2027-01-09T15:00:00.000Z' },
    creator: { id: '0192f0c0-0000-7000-8000-000000000001', name: '海野しお' },
    amount: 500,
    state: 'paid',
    paid_at: '2026-12-10T03:00:00.000Z',
    refunded_at: null,
    refunded_amount: 0,
    receipt: false,
  }
  const [, row] = rowsOf([purchase])
  expect(row?.slice(0, 4)).toEqual(['2026-12-10', 'プラン', '海野しお', '500'])
})
