// The state machine of identity checks, for every state and action.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentKinds, prompt } from '#contract/identity/identity.ts'
import * as v from 'valibot'
import { CASE_LOCK_MS } from '#contract/moderation/measures.ts'
import { advance, choosePrompts, isSeen, isTakeable, lockedUntil, maySubmit, partsFit } from './identity.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const moved = (state: string) => ({ is: 'moved', state })
const unchanged = { is: 'stands' }
const refused = (code: string) => ({ is: 'refused', code })
const compared = { legalName: '届 花子', legalNameKana: 'トドケ　ハナコ', birthDate: '1990-04-01' }
const approve = { is: 'approve', compared } as const
const reject = { is: 'reject', reason: 'unreadable', note: '' } as const

describe.each([
  // State, reviewer, and the result when admin A takes, approves and rejects the check.
  ['submitted', null, moved('in_review'), refused('conflict'), refused('conflict')],
  ['in_review', 'A', unchanged, moved('approved'), moved('rejected')],
  ['in_review', 'B', refused('conflict'), refused('conflict'), refused('conflict')],
  ['approved', 'A', refused('conflict'), unchanged, refused('conflict')],
  ['approved', 'B', refused('conflict'), refused('conflict'), refused('conflict')],
  ['rejected', 'A', refused('conflict'), refused('conflict'), unchanged],
  ['rejected', 'B', refused('conflict'), refused('conflict'), refused('conflict')],
] as const)('a check that is %s, by %s', (state, reviewerId, taken, approved, rejected) => {
  const check = { userId: 'P', state, reviewerId, reviewStartedAt: new Date(NOW - 1000) }
  test('taken', () => expect(advance(check, { is: 'take', by: 'A' }, NOW)).toEqual(taken))
  test('approved', () => expect(advance(check, { ...approve, by: 'A' }, NOW)).toEqual(approved))
  test('rejected', () => expect(advance(check, { ...reject, by: 'A' }, NOW)).toEqual(rejected))
  test('admins cannot review their own check', () => {
    const own = { ...check, userId: 'A' }
    for (const act of [
      { is: 'take', by: 'A' },
      { is: 'return', by: 'A' },
      { ...approve, by: 'A' },
      { ...reject, by: 'A' },
    ] as const)
      expect(advance(own, act, NOW)).toEqual(refused('forbidden'))
  })
})

test.each([
  ['submitted', null, unchanged],
  ['in_review', 'A', moved('submitted')],
  ['in_review', 'B', refused('conflict')],
  ['approved', 'A', refused('conflict')],
  ['rejected', 'A', refused('conflict')],
] as const)('returned by A: a check that is %s, taken by %s', (state, reviewerId, end) => {
  const check = { userId: 'P', state, reviewerId, reviewStartedAt: null }
  expect(advance(check, { is: 'return', by: 'A' }, NOW)).toEqual(end)
})

describe.each([
  // Ms since B took it; the results when A takes it, and when B takes, approves, rejects and returns it.
  [
    CASE_LOCK_MS - 1,
    [refused('conflict'), unchanged, moved('approved'), moved('rejected'), moved('submitted')],
  ],
  [
    CASE_LOCK_MS,
    [moved('in_review'), moved('in_review'), refused('conflict'), refused('conflict'), moved('submitted')],
  ],
])('a check that B took %i ms ago', (ago, ends) => {
  const check = {
    userId: 'P',
    state: 'in_review',
    reviewerId: 'B',
    reviewStartedAt: new Date(NOW - ago),
  } as const
  test('is locked for 15 minutes, and then waits for every admin', () => {
    expect([
      advance(check, { is: 'take', by: 'A' }, NOW),
      advance(check, { is: 'take', by: 'B' }, NOW),
      advance(check, { ...approve, by: 'B' }, NOW),
      advance(check, { ...reject, by: 'B' }, NOW),
      advance(check, { is: 'return', by: 'B' }, NOW),
    ]).toEqual(ends)
    expect(lockedUntil(check)).toEqual(new Date(NOW - ago + 15 * 60_000))
  })
})

test('a check can be sent before the first and after a rejection, and at no other time', () => {
  const states = [undefined, 'submitted', 'in_review', 'approved', 'rejected'] as const
  expect(states.map(maySubmit)).toEqual([true, false, false, false, true])
})

test('the back of a My Number card and of a passport is refused; every other document requires one', () => {
  expect(documentKinds.map((kind) => [kind, partsFit(kind, true), partsFit(kind, false)])).toEqual([
    ['drivers_license', true, false],
    ['my_number_card', false, true],
    ['passport', false, true],
    ['residence_card', true, false],
    ['special_permanent_resident', true, false],
  ])
})

test.each([
  // The document, its stored parts, those that were shown, and whether an approval may follow.
  ['drivers_license', ['front', 'back', 'live'], ['front', 'back', 'live'], true],
  ['drivers_license', ['front', 'back', 'live'], ['front', 'live'], false],
  ['drivers_license', ['front', 'live'], ['front', 'live'], false],
  ['passport', ['front', 'live'], ['front', 'live'], true],
  ['passport', ['front'], ['front'], false],
  ['passport', ['front', 'back', 'live'], ['front', 'live'], false],
  ['my_number_card', [], [], false],
] as const)(
  'of a %s with %j of which %j were shown, everything was seen: %s',
  (kind, stored, shown, seen) => {
    const files = stored.map((part) => ({ id: part, part }))
    expect(isSeen(kind, files, new Set(shown))).toBe(seen)
  },
)

test('three different gestures are requested, each valid in the contract', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const requested = choosePrompts((below) => (numbers.next().value ?? 0) % below)
      expect(new Set(requested.map((it) => it.split(':')[0])).size).toBe(3)
      for (const it of requested) expect(v.is(prompt, it)).toBe(true)
    }),
  )
})

test('a decided check cannot be taken', () => {
  for (const state of ['approved', 'rejected'] as const) {
    const check = { userId: 'P', state, reviewerId: 'B', reviewStartedAt: new Date(NOW - 10 * CASE_LOCK_MS) }
    expect(isTakeable(check, NOW)).toBe(false)
    expect(advance(check, { is: 'take', by: 'A' }, NOW)).toEqual(refused('conflict'))
  }
})

test('a review without a known beginning can be taken by another admin', () => {
  const check = { userId: 'P', state: 'in_review', reviewerId: 'B', reviewStartedAt: null } as const
  expect(advance(check, { is: 'take', by: 'A' }, NOW)).toEqual(moved('in_review'))
})
