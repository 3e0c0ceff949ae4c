// What becomes of a balance older than six months.
import { expect, test } from 'vitest'
import { type OldFacts, oldMonth, oldStepOf, oldTerms } from './old-balance.ts'

const at = (day: number) => new Date(Date.UTC(2027, 0, day))
const facts: OldFacts = {
  isSuspended: false,
  isIdentified: true,
  accountAt: at(5),
  hasPayoutOfMonth: false,
  month: '2027-01',
  latest: undefined,
}
const latest = (state: 'returned' | 'cancelled' | 'paid', month: string, returnedAt: Date | null = null) => ({
  state,
  month,
  returnedAt,
})

test.each<[string, Partial<OldFacts>, string]>([
  ['one with a bank account is requested', {}, 'request'],
  [
    'one of a suspended person is a task, whatever else is missing',
    { isSuspended: true, accountAt: null },
    'suspended',
  ],
  ['one without a bank account is a task', { accountAt: null, isIdentified: false }, 'no_account'],
  ['one whose payout came back is a task', { latest: latest('returned', '2026-12', at(5)) }, 'returned'],
  [
    'one whose account was stored after that is requested',
    { latest: latest('returned', '2026-12', at(4)) },
    'request',
  ],
  [
    'one without an approved identity is a task',
    { isIdentified: false, hasPayoutOfMonth: true },
    'unidentified',
  ],
  ['one beside a payout of the month waits', { hasPayoutOfMonth: true }, 'waits'],
  [
    'one whose payout was cancelled in this month is a task',
    { latest: latest('cancelled', '2027-01') },
    'cancelled',
  ],
  [
    'one whose payout was cancelled before is requested',
    { latest: latest('cancelled', '2026-12') },
    'request',
  ],
  ['one whose last payout was paid is requested', { latest: latest('paid', '2026-12') }, 'request'],
])('%s', (_says, change, step) => {
  expect(oldStepOf({ ...facts, ...change })).toBe(step)
})

test('a sale of November is old from June on, six months after it was closed', () => {
  expect(oldMonth(Date.parse('2027-05-31T23:59:59+09:00'))).toBe('2026-10')
  expect(oldMonth(Date.parse('2027-06-01T00:00:00+09:00'))).toBe('2026-11')
})

test('the platform bears the fee of a payout below the minimum alone', () => {
  const usual = { minimum: 1000, fee: 250 }
  expect(oldTerms(999, usual)).toEqual({ minimum: 1, fee: 0 })
  expect(oldTerms(1000, usual)).toEqual(usual)
})
