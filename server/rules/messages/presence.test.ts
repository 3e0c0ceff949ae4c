// What is shown of presence: every single condition that fails shows nothing.
import { expect, test } from 'vitest'
import { ONLINE_WITHIN_MS, type Present, presenceOf } from './presence.ts'

const NOW = Date.parse('2026-11-26T12:00:00Z')
const ago = (ms: number) => new Date(NOW - ms)

const both: Present = {
  arePresent: true,
  isBlocked: false,
  bothShowPresence: true,
  bothAccepted: true,
  isConnected: false,
  seenAt: ago(60 * 60_000),
}

test('both allow it and take part: the stored time is shown', () => {
  expect(presenceOf(both, NOW)).toEqual({ is: 'seen', at: '2026-11-26T11:00:00.000Z' })
})

test.each<Partial<Present>>([
  { arePresent: false },
  { isBlocked: true },
  { bothShowPresence: false },
  { bothAccepted: false },
])('with %j nothing is shown, also of a connected person', (failing) => {
  expect(presenceOf({ ...both, ...failing }, NOW)).toBeNull()
  expect(presenceOf({ ...both, ...failing, isConnected: true, seenAt: ago(0) }, NOW)).toBeNull()
})

test.each<[Partial<Present>, object | null]>([
  [{ isConnected: true }, { is: 'online' }],
  [{ isConnected: true, seenAt: null }, { is: 'online' }],
  [{ isConnected: false, seenAt: null }, null],
  // This process knows that no page is connected, though the time is recent.
  [
    { isConnected: false, seenAt: ago(0) },
    { is: 'seen', at: ago(0).toISOString() },
  ],
  [{ isConnected: undefined, seenAt: ago(ONLINE_WITHIN_MS - 1) }, { is: 'online' }],
  [
    { isConnected: undefined, seenAt: ago(ONLINE_WITHIN_MS) },
    { is: 'seen', at: ago(ONLINE_WITHIN_MS).toISOString() },
  ],
  [{ isConnected: undefined, seenAt: null }, null],
])('%j is shown as %j', (given, shown) => {
  expect(presenceOf({ ...both, ...given }, NOW)).toEqual(shown)
})
