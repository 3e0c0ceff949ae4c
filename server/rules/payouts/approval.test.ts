// What stops a payout from being approved or put into a file, as a table.
import { expect, test } from 'vitest'
import type { PayoutStop } from '#contract/payouts/admin-payouts.ts'
import { type ApprovalFacts, isApprovable, isSingleOnly, stopOf } from './approval.ts'

const NOW = Date.parse('2026-12-10T12:00:00+09:00')
const DAY = 24 * 3600_000
const ago = (days: number) => new Date(NOW - days * DAY)

const account = { nameCheck: 'same', changedAt: ago(30), heldUntil: null, isKnown: true } as const
const requested: ApprovalFacts = {
  state: 'requested',
  approvedAt: null,
  hasPracticeMoney: false,
  isOwn: false,
  needsOther: false,
  suspendedAt: null,
  account,
}
const approved: ApprovalFacts = { ...requested, state: 'approved', approvedAt: ago(5) }
const changed = { ...account, changedAt: ago(4), heldUntil: ago(1) }

test.each<[name: string, facts: ApprovalFacts, stop: PayoutStop | null]>([
  ['requested', requested, null],
  ['approved', approved, null],
  ['of practice money', { ...approved, hasPracticeMoney: true, isOwn: true }, 'practice'],
  ['of the admin', { ...requested, isOwn: true }, 'own'],
  ['without an account', { ...approved, account: undefined }, 'no_account'],
  ['to a branch that was closed', { ...approved, account: { ...account, isKnown: false } }, 'unknown_branch'],
  ['to a changed account', { ...requested, account: { ...account, heldUntil: ago(-1) } }, 'held'],
  ['at the end of the three days', { ...requested, account: { ...account, heldUntil: ago(0) } }, null],
  ['to an account of the same name, changed after the approval', { ...approved, account: changed }, null],
  [
    'to an account of another name, changed after the approval',
    { ...approved, account: { ...changed, nameCheck: 'differs' } },
    'approve_again',
  ],
  [
    'to an account of another name, changed before the approval',
    { ...approved, account: { ...changed, changedAt: ago(6), nameCheck: 'differs' } },
    null,
  ],
  [
    'to an account of another name, changed in the moment of the approval',
    { ...approved, account: { ...changed, changedAt: ago(5), nameCheck: 'differs' } },
    null,
  ],
  [
    'of a creator who was suspended in the moment of the approval',
    { ...approved, suspendedAt: ago(5) },
    null,
  ],
  [
    'approved without a time, of a creator who is suspended',
    { ...approved, approvedAt: null, suspendedAt: ago(6) },
    'approve_again',
  ],
  ['of a creator who was suspended later', { ...approved, suspendedAt: ago(1) }, 'approve_again'],
  ['of a creator who was suspended before', { ...approved, suspendedAt: ago(6) }, null],
  ['requested by a creator who is suspended', { ...requested, suspendedAt: ago(1) }, null],
  ['that this admin approved', { ...approved, needsOther: true }, 'other_admin'],
  ['exported', { ...approved, state: 'exported', account: undefined }, null],
])('a payout %s', (_, facts, stop) => {
  expect(stopOf(facts, NOW)).toBe(stop)
})

test('an approval is possible of a requested payout, and again of one that needs it', () => {
  expect(isApprovable('requested', null)).toBe(true)
  expect(isApprovable('requested', 'held')).toBe(false)
  expect(isApprovable('approved', 'approve_again')).toBe(true)
  for (const stop of [null, 'other_admin', 'held'] as const)
    expect(isApprovable('approved', stop)).toBe(false)
  for (const state of ['held', 'exported', 'paid', 'returned', 'cancelled'] as const)
    for (const stop of [null, 'approve_again'] as const) expect(isApprovable(state, stop)).toBe(false)
})

test('only payouts to the verified name of a present creator are approved together', () => {
  expect(isSingleOnly('same', 'present')).toBe(false)
  for (const check of ['differs', 'unknown', undefined] as const)
    expect(isSingleOnly(check, 'present')).toBe(true)
  for (const state of ['suspended', 'leaving', 'gone'] as const)
    expect(isSingleOnly('same', state)).toBe(true)
})
