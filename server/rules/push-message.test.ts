// The text of a push fits every push service, and is cut between characters.
import { expect, test } from 'vitest'
import type { PushPayload } from '#contract/notifications/push-payload.ts'
import { deliveryOf, MAX_PUSH, MAX_TRIES, nextTryIn, pushText, SHORT_PUSH } from './push-message.ts'

const payload = (title: string, body: string): PushPayload => ({
  web_push: 8030,
  mutable: true,
  notification: {
    title,
    body,
    lang: 'ja',
    dir: 'ltr',
    tag: 'test',
    navigate: 'https://todoke.example/settings/notification',
    data: { setting_cd: 'test', user_id: '0190b2c4-0000-7000-8000-000000000000' },
  },
  app_badge: 3,
})
const notificationIn = (text: string) => (JSON.parse(text) as PushPayload).notification
const bytes = (text: string) => Buffer.byteLength(text)

test('a text that fits is unchanged', () => {
  expect(JSON.parse(pushText(payload('朝の海', '"\n👩‍👩‍👧‍👦'), MAX_PUSH))).toEqual(payload('朝の海', '"\n👩‍👩‍👧‍👦'))
})

test.each([MAX_PUSH, SHORT_PUSH])('a long body is cut to %i bytes, between characters', (limit) => {
  const family = '👩‍👩‍👧‍👦'
  const text = pushText(payload('朝の海', family.repeat(2000)), limit)
  expect(bytes(text)).toBeLessThanOrEqual(limit)
  // One more character would not fit.
  expect(bytes(text)).toBeGreaterThan(limit - bytes(family))
  const { title, body } = notificationIn(text)
  expect([title, body.replaceAll(family, '')]).toEqual(['朝の海', '…'])
})

test('the title is cut too, once the body is empty', () => {
  const text = pushText(payload('長'.repeat(9000), '本文'), MAX_PUSH)
  expect(bytes(text)).toBeLessThanOrEqual(MAX_PUSH)
  expect(notificationIn(text)).toMatchObject({ title: expect.stringMatching(/^長+…$/), body: '' })
})

test('quotes and line breaks count with their escapes', () => {
  expect(bytes(pushText(payload('"'.repeat(100), '\n'.repeat(9000)), MAX_PUSH))).toBeLessThanOrEqual(MAX_PUSH)
})

test('delays of retries grow, are never shorter than requested, and end after more than a day', () => {
  const waits = Array.from({ length: MAX_TRIES - 1 }, (_, n) => nextTryIn(n, undefined))
  expect(waits.slice(0, 3)).toEqual([30, 120, 480])
  expect(waits.reduce((sum, it) => sum + it, 0)).toBeGreaterThan(24 * 3600)
  expect(nextTryIn(0, 900)).toBe(900)
})

test.each([
  ['message', 'high', 7],
  ['comment', 'normal', 7],
  ['reply_comment', 'normal', 7],
  ['mention', 'normal', 7],
  ['buy_post', 'normal', 7],
  ['plan', 'normal', 7],
  ['like_post', 'low', 1],
  ['like_comment', 'low', 1],
  ['follow', 'low', 1],
  ['post', 'normal', 3],
  ['plan_post', 'normal', 3],
  ['notice', 'normal', 3],
  ['identity', 'normal', 3],
])('a push about %s has %s urgency and waits %i days for a device', (code, urgency, days) => {
  expect(deliveryOf(code)).toEqual({ urgency, ttl: days * 24 * 3600 })
})

test('a push of exactly the limit is unchanged', () => {
  const whole = JSON.stringify(payload('朝の海', 'a'.repeat(500)))
  expect(pushText(payload('朝の海', 'a'.repeat(500)), bytes(whole))).toBe(whole)
  expect(pushText(payload('朝の海', 'a'.repeat(500)), bytes(whole) - 1)).not.toBe(whole)
})

test('a cut push uses all available bytes', () => {
  const long = payload('朝の海', 'a'.repeat(5000))
  const limit = bytes(JSON.stringify(payload('朝の海', '…'))) + 700
  const text = pushText(long, limit)
  expect(bytes(text)).toBe(limit)
  expect(notificationIn(text).body).toBe(`${'a'.repeat(700)}…`)
})
