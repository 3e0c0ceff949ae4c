// Rate limits: their keys, and shared counts of two servers on one Redis.
import { afterEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { createMemoryCounts, createSharedCounts } from '#server/adapters/counts.ts'
import { connected, type RedisClient } from '#server/adapters/redis.ts'
import { errorOf, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { openPatientRedis, redisAvailable, startRedis } from '#server/testing/redis.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { type Limits, noLimits, usualLimits } from './limits.ts'

const MINUTE = 60_000
const worlds: World[] = []
afterEach(async () => {
  for (const it of worlds.splice(0)) await it.close()
})

async function open(limits: Partial<Limits>, parts: object = {}): Promise<World> {
  const world = await openWorld({ settings: { limits: { ...noLimits, ...limits } }, parts })
  worlds.push(world)
  return world
}

async function signIn(world: World, email: string, from = '192.0.2.1', password = 'wrong-1234') {
  const payload = { email, password }
  const reply = await world.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in',
    payload,
    remoteAddress: from,
  })
  const code = reply.statusCode === 200 ? undefined : errorOf(reply).code
  return { code, status: reply.statusCode, retryAfter: reply.headers['retry-after'] }
}

describe('the usual limits', () => {
  test('are those of the specification of accounts', () => {
    const { signIn: signInLimit, signUp: signUpLimit, emails, guesses, emailsOfNetwork } = usualLimits
    expect([signInLimit, signUpLimit, emails, guesses, emailsOfNetwork]).toEqual([
      { max: 10, timeWindow: 60 * MINUTE },
      { max: 5, timeWindow: 30 * MINUTE },
      { max: 5, timeWindow: 60 * MINUTE },
      { max: 100, timeWindow: 60 * MINUTE },
      { max: 30, timeWindow: 60 * MINUTE },
    ])
  })

  test('sign-ins above the limit are refused until the hour is over, also with the right password', async () => {
    const world = await open({ signIn: { ...usualLimits.signIn, max: 2 } })
    const member = await signUp(world)
    const statuses = [await signIn(world, member.email), await signIn(world, member.email)]
    expect(statuses.map((it) => it.status)).toEqual([401, 401])
    world.clock.now += 50 * MINUTE
    expect(await signIn(world, member.email, undefined, PASSWORD)).toEqual({
      code: 'rate_limited',
      status: 429,
      retryAfter: '600',
    })
    world.clock.now += 10 * MINUTE
    expect((await signIn(world, member.email, undefined, PASSWORD)).status).toBe(200)
  })
})

describe('a limit counts', () => {
  const two = { signIn: { max: 2, timeWindow: MINUTE } }

  test.each([
    ['one IPv6 network of a household (/64)', ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2::3']],
    ['an IPv4 address written as IPv6', ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207']],
    ['one email address in other letter cases', ['192.0.2.8', '192.0.2.8', '192.0.2.8']],
  ])('%s as one', async (_what, addresses) => {
    const world = await open(two)
    const emails = ['a@example.com', ' A@example.com', 'a@EXAMPLE.com ']
    const codes = []
    for (const [i, from] of addresses.entries())
      codes.push((await signIn(world, defined(emails[i]), from)).code)
    expect(codes).toEqual(['wrong_credentials', 'wrong_credentials', 'rate_limited'])
  })

  test.each([
    ['neighbouring networks', ['2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:1:4::1']],
    ['IPv4 addresses written as IPv6', ['::ffff:192.0.2.1', '::ffff:192.0.2.2', '::ffff:192.0.2.3']],
  ])('%s separately', async (_what, addresses) => {
    const world = await open(two)
    const codes = []
    for (const from of [...addresses, ...addresses])
      codes.push((await signIn(world, 'a@example.com', from)).code)
    expect(new Set(codes)).toEqual(new Set(['wrong_credentials']))
  })

  test('X-Forwarded-For is ignored without a trusted proxy', async () => {
    const world = await open(two)
    const codes = []
    for (let i = 0; i < 3; i++) {
      const headers = { 'x-forwarded-for': `198.51.100.${i}` }
      const payload = { email: 'a@example.com', password: 'x' }
      codes.push(
        errorOf(await world.app.inject({ method: 'POST', url: '/api/auth/sign-in', payload, headers })).code,
      )
    }
    expect(codes.at(-1)).toBe('rate_limited')
  })
})

describe.skipIf(!redisAvailable())('one Redis (Debian: apt-get install redis-server)', () => {
  test('two servers share their counts; without Redis each counts alone, without errors', async () => {
    const redis = await startRedis()
    const connections: RedisClient[] = []
    const reported: boolean[] = []
    try {
      const shared = async () => {
        const connection = openPatientRedis(redis.url)
        connections.push(connection)
        await connected(connection)
        return {
          counts: createSharedCounts(
            connection,
            createMemoryCounts(Date.now),
            (isAvailable) => void reported.push(isAvailable),
          ),
        }
      }
      const limits = { general: { max: 1000, timeWindow: MINUTE }, signIn: { max: 3, timeWindow: MINUTE } }
      const [one, other] = [await open(limits, await shared()), await open(limits, await shared())]
      const codes = []
      for (const server of [one, other, one, other, one])
        codes.push((await signIn(server, 'a@example.com')).code)
      expect(codes).toEqual([
        'wrong_credentials',
        'wrong_credentials',
        'wrong_credentials',
        'rate_limited',
        'rate_limited',
      ])
      await redis.kill()
      const statuses = []
      for (let i = 0; i < 5; i++) statuses.push((await one.app.inject({ url: '/api/operator' })).statusCode)
      expect([statuses, reported]).toEqual([[200, 200, 200, 200, 200], [false]])
      // Each server still limits guesses.
      const guesses = []
      for (let i = 0; i < 4; i++) guesses.push((await signIn(other, 'a@example.com')).status)
      expect(guesses).toEqual([401, 401, 401, 429])
    } finally {
      for (const it of connections) it.disconnect()
      await redis.discard()
    }
  })
})
