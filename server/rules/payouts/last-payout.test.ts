// What becomes of the balance of a deleted account, and the lines of a clearing.
import { expect, test } from 'vitest'
import { isBalanced } from '#server/rules/money/ledger.ts'
import { clearingLines, isClearing } from './clearing.ts'
import { type DepartedFacts, isReleasable, lastStepOf, lastTerms, termsOf } from './last-payout.ts'

const at = (day: number) => new Date(Date.UTC(2027, 0, day))
const facts: DepartedFacts = {
  total: 300,
  available: 300,
  deletedAt: at(10),
  isSuspended: false,
  releasedAt: null,
  accountAt: at(1),
  latest: undefined,
}
const payout = (
  state: 'returned' | 'cancelled' | 'paid',
  requested: number,
  returned: number | null = null,
) => ({
  state,
  requestedAt: at(requested),
  returnedAt: returned === null ? null : at(returned),
})

test.each<[string, Partial<DepartedFacts>, string]>([
  ['a balance below minimum and fee is requested', {}, 'request'],
  ['one yen is requested', { total: 1, available: 1 }, 'request'],
  ['a balance with sales of an open month waits', { available: 100 }, 'waits'],
  [
    'a balance of zero is settled, also without an account',
    { total: 0, available: 0, accountAt: null },
    'settled',
  ],
  [
    'a negative balance is a task, also of a suspended person',
    { total: -1, available: 0, isSuspended: true },
    'negative',
  ],
  ['the balance of a suspended person is a task', { isSuspended: true }, 'suspended'],
  ['one that was released is requested', { isSuspended: true, releasedAt: at(11) }, 'request'],
  [
    'a balance without an account is a task, also in an open month',
    { accountAt: null, available: 0 },
    'no_account',
  ],
  ['one whose payout came back is a task', { latest: payout('returned', 12, 20) }, 'returned'],
  [
    'one whose payout came back before the account was stored is requested',
    { latest: payout('returned', 2, 3), accountAt: at(4) },
    'request',
  ],
  [
    'one that was released after its payout came back is requested',
    { latest: payout('returned', 12, 20), releasedAt: at(21) },
    'request',
  ],
  [
    'one whose payout came back after the release is a task again',
    { latest: payout('returned', 22, 25), releasedAt: at(21) },
    'returned',
  ],
  ['one whose last payout was cancelled is a task', { latest: payout('cancelled', 12) }, 'cancelled'],
  [
    'one whose payout of before the erasure was cancelled is requested',
    { latest: payout('cancelled', 9) },
    'request',
  ],
  ['what is left after a paid payout is requested', { latest: payout('paid', 12) }, 'request'],
])('%s', (_, change, step) => {
  expect(lastStepOf({ ...facts, ...change })).toBe(step)
})

test('the last payout has no minimum and no fee; any other has the usual ones', () => {
  const usual = { minimum: 1000, fee: 250 }
  expect([termsOf(true, usual), termsOf(false, usual)]).toEqual([lastTerms, usual])
  expect(lastTerms).toEqual({ minimum: 1, fee: 0 })
})

test('an admin can set aside a suspension, a return and a cancellation, and nothing else', () => {
  const steps = [
    'settled',
    'waits',
    'request',
    'negative',
    'suspended',
    'no_account',
    'returned',
    'cancelled',
  ] as const
  expect(steps.filter(isReleasable)).toEqual(['suspended', 'returned', 'cancelled'])
})

test('a clearing brings a balance nearer to zero and not beyond', () => {
  const fits = (kind: 'paid' | 'repaid' | 'borne', amount: number, balance: number) =>
    isClearing({ kind, amount }, balance)
  expect([
    fits('paid', 300, 300),
    fits('paid', 301, 300),
    fits('paid', 0, 300),
    fits('paid', 1, -300),
  ]).toEqual([true, false, false, false])
  for (const kind of ['repaid', 'borne'] as const)
    expect([fits(kind, 300, -300), fits(kind, 301, -300), fits(kind, 1, 300)]).toEqual([true, false, false])
})

test('each clearing is balanced: paid by the bank account, repaid to it, or borne as a loss', () => {
  const lines = (kind: 'paid' | 'repaid' | 'borne') => clearingLines({ creatorId: 'a', kind, amount: 5 })
  const named = (kind: 'paid' | 'repaid' | 'borne') => lines(kind).map((it) => `${it.account} ${it.amount}`)
  expect(named('paid')).toEqual(['creator_payable 5', 'bank -5'])
  expect(named('repaid')).toEqual(['creator_payable -5', 'bank 5'])
  expect(named('borne')).toEqual(['creator_payable -5', 'chargeback_loss 5'])
  for (const kind of ['paid', 'repaid', 'borne'] as const) expect(isBalanced(lines(kind))).toBe(true)
})
