// Times of requests, results of pushes, and calls of the provider.
import { expect, test } from 'vitest'
import { recordCalls } from './payments/recorded.ts'
import type { PaymentProvider } from './payments/provider.ts'
import type { Push, Pushed } from './push/push.ts'
import { recordPushes } from './push/recorded.ts'
import { createRequestTimes } from './request-times.ts'

const MINUTE = 60_000

test('the slowest routes are first, with the number and percentiles of their requests', () => {
  const times = createRequestTimes(() => 0)
  for (let i = 1; i <= 100; i++) times.record('GET /api/posts/:post_id', i)
  times.record('POST /api/post/add', 900)
  const [slow, other] = times.slowest(5)
  expect(slow).toMatchObject({ route: 'POST /api/post/add', count: 1 })
  expect(other?.count).toBe(100)
  // Two digits are exact.
  expect(Math.abs((other?.p50 ?? 0) - 50)).toBeLessThanOrEqual(1)
  expect(Math.abs((other?.p95 ?? 0) - 95)).toBeLessThanOrEqual(1)
  expect(times.slowest(1)).toHaveLength(1)
})

test('what is older than an hour is forgotten', () => {
  let now = 0
  const times = createRequestTimes(() => now)
  times.record('GET /a', 10)
  now = 59 * MINUTE
  times.record('GET /b', 5)
  expect(times.slowest(9).map((it) => it.route)).toEqual(['GET /a', 'GET /b'])
  now = 60 * MINUTE
  expect(times.slowest(9).map((it) => it.route)).toEqual(['GET /b'])
})

const device = (host: string) => ({ endpoint: `https://${host}/secret`, p256dh: '', auth: '' })
const message = { text: '', ttl: 0, urgency: 'low', topic: '' } as const

test('pushes are counted by the host of their service, for an hour, without the secret address', async () => {
  let now = 0
  let reply: Pushed = { is: 'accepted' }
  const given: Push = {
    publicKey: 'key',
    accepts: async () => true,
    send: async () => reply,
    close: () => undefined,
  }
  const { push, results } = recordPushes(given, () => now)
  await push.send(device('a.example'), message)
  reply = { is: 'later', after: undefined }
  await push.send(device('a.example'), message)
  reply = { is: 'expired' }
  await push.send(device('b.example'), message)
  reply = { is: 'too_large' }
  await push.send(device('b.example'), message)
  expect(results.read()).toEqual([
    { service: 'a.example', sent: 1, failed: 1, expired: 0 },
    { service: 'b.example', sent: 0, failed: 0, expired: 1 },
  ])
  for (let i = 0; i < 40; i++) await push.send(device(`${i}.example`), message)
  expect(results.read().length).toBeLessThanOrEqual(21)
  now = 60 * MINUTE
  expect(results.read()).toEqual([])
})

test('the last failed call of the provider is remembered until a call succeeds', async () => {
  let fails = true
  const list = async () => {
    if (fails) throw new Error('the interface is closed')
    return { charges: [], recurring: [] }
  }
  const { provider, calls } = recordCalls({ list } as unknown as PaymentProvider, () => 5)
  await expect(provider.list?.()).rejects.toThrow('closed')
  expect(calls.failed()).toMatchObject({ call: 'list', at: 5 })
  fails = false
  await provider.list?.()
  expect(calls.failed()).toBeUndefined()
})
