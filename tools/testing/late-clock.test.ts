// The late clock is at 23:59 in Tokyo on the last day of a month.
import { expect, test } from 'vitest'
import { untilLateEvening } from './late-clock.ts'

test.each([
  ['2026-11-28T12:00:00Z', '2026-11-30T14:59:00.000Z'],
  ['2026-11-30T14:59:00Z', '2026-11-30T14:59:00.000Z'],
  ['2026-11-30T14:59:01Z', '2026-12-31T14:59:00.000Z'],
  // Already December in Tokyo.
  ['2026-11-30T15:00:00Z', '2026-12-31T14:59:00.000Z'],
  ['2026-12-31T20:00:00Z', '2027-01-31T14:59:00.000Z'],
  ['2028-02-01T00:00:00Z', '2028-02-29T14:59:00.000Z'],
])('from %s it is at %s', (from, to) => {
  const now = Date.parse(from)
  expect(new Date(now + untilLateEvening(now)).toISOString()).toBe(to)
})
