// What a new account may pay: exact limits, and the ages that count.
import { expect, test } from 'vitest'
import { fitsAt, newAccountOf } from './new-account.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR
const now = Date.parse('2026-12-10T03:00:00Z')
/** A payment that is paid. */
const paid = (amount: number, at: number) => ({ amount, at, openUntil: null })
const account = { createdAt: now - DAY, limit: 1000 }

test.each([
  ['in its last moment', 30 * DAY - 1, 700],
  ['after exactly 30 days', 30 * DAY, undefined],
])('an account %s of being new has this left', (_, age, left) => {
  const it = newAccountOf({ createdAt: now - age, limit: 1000 }, [paid(300, now)], now)
  expect(it?.left).toBe(left)
})

test.each([
  ['one moment less than 24 hours', DAY - 1, 700],
  ['exactly 24 hours', DAY, 1000],
])('a payment that was begun %s ago leaves this', (_, age, left) => {
  expect(newAccountOf(account, [paid(300, now - age)], now)?.left).toBe(left)
})

test('nothing is left, and not less, when the limit was lowered', () => {
  expect(newAccountOf(account, [paid(1200, now)], now)?.left).toBe(0)
})

test.each([
  ['exactly what is left', 500, now],
  ['more than is left, once the oldest payment no longer counts', 501, now + 4 * HOUR],
  ['much more, once both no longer count', 801, now + 14 * HOUR],
  ['exactly the limit', 1000, now + 14 * HOUR],
  ['more than the limit, by an account that is not new', 1001, now + 29 * DAY],
])('%s can be paid at this time', (_, price, at) => {
  const spent = [paid(200, now - 10 * HOUR), paid(300, now - 20 * HOUR)]
  const it = newAccountOf(account, spent, now)
  expect(it && fitsAt(price, it, now)).toBe(at)
})

test('an open payment counts until its form ends, which may be before a payment that is older', () => {
  const open = { amount: 600, at: now - HOUR, openUntil: now + HOUR }
  const it = newAccountOf(account, [paid(300, now - 20 * HOUR), open], now)
  expect(it?.left).toBe(100)
  expect(it && [fitsAt(100, it, now), fitsAt(700, it, now), fitsAt(701, it, now)]).toEqual([
    now,
    now + HOUR,
    now + 4 * HOUR,
  ])
  expect(newAccountOf(account, [{ ...open, openUntil: now }], now)?.left).toBe(1000)
})

test('no price waits beyond the end of the limit', () => {
  const old = { createdAt: now - 30 * DAY + HOUR, limit: 1000 }
  const it = newAccountOf(old, [paid(1000, now)], now)
  expect(it && fitsAt(500, it, now)).toBe(now + HOUR)
})
