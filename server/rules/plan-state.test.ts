// States of plans, and the days on which a plan may end.
import { expect, test } from 'vitest'
import { endDayProblem, endOfDay, type Offer, planStateOf } from './plan-state.ts'

const DAY = 24 * 3600_000
/** 2026-11-25 23:30 in Asia/Tokyo. */
const NOW = Date.parse('2026-11-25T14:30:00Z')
const offer: Offer = {
  acceptsMembers: true,
  memberLimit: null,
  endsAt: null,
  members: 3,
  changing: 0,
  returning: 0,
}
const at = (ms: number) => new Date(ms)

test.each<[string, Partial<Offer>, string]>([
  ['without a limit', {}, 'open'],
  ['below its limit', { memberLimit: 4 }, 'open'],
  ['at its limit', { memberLimit: 3 }, 'full'],
  ['whose last place waits for a member of another plan', { memberLimit: 4, changing: 1 }, 'full'],
  ['whose last place is kept for a member who could not pay', { memberLimit: 4, returning: 1 }, 'full'],
  ['above its limit, which was lowered', { memberLimit: 2 }, 'full'],
  ['that accepts no members', { acceptsMembers: false, memberLimit: 3 }, 'paused'],
  ['whose end was announced', { endsAt: at(NOW + 1), acceptsMembers: false }, 'closing'],
  ['at its end', { endsAt: at(NOW) }, 'ended'],
])('a plan %s', (_, change, state) => expect(planStateOf({ ...offer, ...change }, NOW)).toBe(state))

test('a day ends when the next one starts in Tokyo', () => {
  expect(new Date(endOfDay('2026-12-31')).toISOString()).toBe('2026-12-31T15:00:00.000Z')
})

test.each([
  ['2026-11-24', false, 'too_small'],
  ['2026-11-25', false, undefined],
  ['2026-11-25', true, 'too_small'],
  ['2026-12-24', true, 'too_small'],
  ['2026-12-25', true, undefined],
  ['2027-11-25', true, undefined],
  ['2027-11-26', true, 'too_large'],
  ['2027-11-26', false, 'too_large'],
])('a plan that ends on %s, with members: %s', (day, hasMembers, problem) => {
  expect(endDayProblem(day, hasMembers, NOW)).toBe(problem)
})

test('just after midnight in Tokyo the day before is past', () => {
  const midnight = Date.parse('2026-11-25T15:00:00Z')
  expect(endDayProblem('2026-11-25', false, midnight)).toBe('too_small')
  expect(endDayProblem('2026-11-25', false, midnight - 1)).toBeUndefined()
  expect(endDayProblem('2026-12-25', true, midnight - DAY)).toBeUndefined()
})
