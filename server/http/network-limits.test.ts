// Limits of one network over all accounts, and the throttle of every secret.
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Counts, createMemoryCounts, createSharedCounts } from '#server/adapters/counts.ts'
import { connected } from '#server/adapters/redis.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { codeIn, tokenIn } from '#server/testing/people/emails.ts'
import { errorOf, type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { openPatientRedis, redisAvailable, startRedis } from '#server/testing/redis.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { type Limits, noLimits } from './limits.ts'

const HOUR = 3600_000
const four = { max: 4, timeWindow: HOUR }
const both = { guesses: four, emailsOfNetwork: four }
const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

async function open(limits: Partial<Limits>, counts?: Counts): Promise<World> {
  const settings = { limits: { ...noLimits, ...limits } }
  const world = await openWorld({ settings, parts: counts ? { counts } : {} })
  closing.push(() => world.close())
  return world
}

/** Pairs of counters with shared counts, for two servers. */
const counters: { kind: string; available: boolean; pair: () => Promise<[Counts, Counts]> }[] = [
  {
    kind: 'in memory',
    available: true,
    async pair() {
      const counts = createMemoryCounts(Date.now)
      return [counts, counts]
    },
  },
  {
    kind: 'in Redis (Debian: apt-get install redis-server)',
    available: redisAvailable(),
    async pair() {
      const redis = await startRedis()
      closing.push(() => redis.discard())
      const one = async () => {
        const connection = openPatientRedis(redis.url)
        closing.push(() => connection.disconnect())
        await connected(connection)
        return createSharedCounts(connection, createMemoryCounts(Date.now), () => undefined)
      }
      return [await one(), await one()]
    },
  },
]

let networks = 0
/** A network that no other test uses. */
const network = () => `192.0.2.${++networks}`

async function send(world: World, from: string, path: string, payload: object, as?: Member) {
  const url = `/api/auth/${path}`
  const headers = as?.auth ?? {}
  const reply = await world.app.inject({ method: 'POST', url, payload, headers, remoteAddress: from })
  return {
    code: reply.statusCode === 200 ? 'ok' : errorOf(reply).code,
    retryAfter: Number(reply.headers['retry-after']),
    reply,
  }
}

const signIn = (world: World, from: string, email: string, password = 'wrong-1234') =>
  send(world, from, 'sign-in', { email, password })
const requestReset = (world: World, from: string, email: string) => send(world, from, 'reset', { email })

const newcomer = (email: string) => {
  return { email, password: PASSWORD, name: '花子', birth_date: '1990-01-01', terms: true }
}
const times = (n: number, code: string) => Array<string>(n).fill(code)

describe.each(counters)('counted $kind', ({ available, pair }) => {
  describe.skipIf(!available)('of one network', () => {
    let here: World
    let there: World
    beforeAll(async () => {
      const [one, other] = await pair()
      here = await open(both, one)
      there = await open(both, other)
    })

    test('guesses are limited over all accounts and two servers; above the limit the right password is refused, from another network it is not', async () => {
      const from = network()
      const member = await signUp(here)
      const codes = []
      for (let i = 0; i < 6; i++)
        codes.push((await signIn(i % 2 ? there : here, from, `guessed-${i}@example.com`)).code)
      expect(codes).toEqual([...times(4, 'wrong_credentials'), ...times(2, 'rate_limited')])
      const right = await signIn(here, from, member.email, PASSWORD)
      expect([right.code, right.retryAfter > 3500, right.retryAfter <= 3600]).toEqual([
        'rate_limited',
        true,
        true,
      ])
      expect((await signIn(here, network(), member.email, PASSWORD)).code).toBe('ok')
    })

    test('right passwords do not count as guesses, and do not reset the count of wrong ones', async () => {
      const from = network()
      const member = await signUp(here)
      const tried = async (passwords: readonly (string | undefined)[]) => {
        const codes = []
        for (const it of passwords) codes.push((await signIn(here, from, member.email, it)).code)
        return codes
      }
      expect(await tried(times(6, PASSWORD))).toEqual(times(6, 'ok'))
      const wrong = undefined
      expect(await tried([wrong, wrong, wrong, PASSWORD, wrong, PASSWORD])).toEqual([
        ...times(3, 'wrong_credentials'),
        'ok',
        'wrong_credentials',
        'rate_limited',
      ])
    })

    test('emails are limited over all addresses, all kinds and two servers', async () => {
      const from = network()
      const member = await signUp(there)
      await validate(there, member)
      const registered = await send(here, from, 'sign-up', newcomer('a@example.com'))
      const requested = [
        registered,
        await send(here, from, 'sign-up/resend', registered.reply.json()),
        await requestReset(there, from, 'b@example.com'),
        await send(there, from, 'email', { email: 'c@example.com' }, member),
      ]
      expect(requested.map((it) => it.code)).toEqual(times(4, 'ok'))
      const more = [
        await send(there, from, 'sign-up', newcomer('d@example.com')),
        await send(here, from, 'sign-up/resend', registered.reply.json()),
        await requestReset(here, from, 'e@example.com'),
        await send(there, from, 'email', { email: 'f@example.com' }, member),
      ]
      expect(more.map((it) => it.code)).toEqual(times(4, 'rate_limited'))
      expect(more.every((it) => it.retryAfter > 3500)).toBe(true)
      expect((await requestReset(here, network(), 'e@example.com')).code).toBe('ok')
    })
  })
})

describe('a network', () => {
  let world: World
  beforeAll(async () => {
    world = await open({
      guesses: { max: 2, timeWindow: HOUR },
      emailsOfNetwork: { max: 2, timeWindow: HOUR },
    })
  })
  const oneMore = async (from: string) => [
    (await signIn(world, from, 'a@example.com')).code,
    (await requestReset(world, from, 'a@example.com')).code,
  ]
  const over = ['rate_limited', 'rate_limited']
  const free = ['wrong_credentials', 'ok']

  test.each([
    ['an IPv6 /64 is one', ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2::3'], over],
    [
      'an IPv4 address written as IPv6 is the same',
      ['203.0.113.1', '::ffff:203.0.113.1', '203.0.113.1'],
      over,
    ],
    ['neighbouring /64s are not one', ['2001:db8:2:1::1', '2001:db8:2:2::1', '2001:db8:2:3::1'], free],
  ])('%s', async (_what, [one = '', two = '', three = ''], end) => {
    await oneMore(one)
    await oneMore(two)
    expect(await oneMore(three)).toEqual(end)
  })

  test('has a new budget of tries and emails when the hour is over', async () => {
    const from = network()
    await oneMore(from)
    world.clock.now += HOUR - 1
    expect([await oneMore(from), await oneMore(from)]).toEqual([free, over])
    world.clock.now += 1
    expect(await oneMore(from)).toEqual(free)
  })
})

const names = [
  'the password of a sign-in',
  'the password of a validation',
  'the code of a reset',
  'the code of another address',
  'the password of a registration',
] as const
type Tries = Record<(typeof names)[number], (right: boolean) => ReturnType<typeof send>>

/** Functions that try each secret of one person from one network, right or wrong. */
async function triesOf(world: World, from: string): Promise<Tries> {
  const member = await signUp(world)
  const { email } = member
  await validate(world, member)
  const request = (await requestReset(world, from, email)).reply.json<{ request_id: string }>().request_id
  await send(world, from, 'email', { email: `next-${email}` }, member)
  await send(world, from, 'sign-up', newcomer(`new-${email}`))
  const token = await tokenIn(world, `new-${email}`)
  const resetCode = await codeIn(world, email)
  const changeCode = await codeIn(world, `next-${email}`)
  const password = (right: boolean) => (right ? PASSWORD : 'wrong-1234')
  const orOther = (right: boolean, code: string) => (right ? code : code === '000000' ? '000001' : '000000')
  return {
    'the password of a sign-in': (right) => signIn(world, from, email, password(right)),
    'the password of a validation': (right) =>
      send(world, from, 'validation', { password: password(right) }, member),
    'the code of a reset': (right) =>
      send(world, from, 'reset/code', { request_id: request, code: orOther(right, resetCode) }),
    'the code of another address': (right) =>
      send(world, from, 'email/code', { code: orOther(right, changeCode) }, member),
    'the password of a registration': (right) =>
      send(world, from, 'sign-up/confirm', { token, password: password(right) }),
  }
}

describe('every secret', () => {
  let slow: World
  let strict: World
  beforeAll(async () => {
    slow = await open({ throttle: { free: 1, first: 61, longest: 122, window: HOUR } })
    strict = await open({ guesses: { max: 1, timeWindow: HOUR } })
  })

  test.each(names)('%s: the delay of each try doubles, also of the right one', async (name) => {
    const tried = (await triesOf(slow, network()))[name]
    const timer = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => timer.mockRestore())
    expect((await tried(false)).code).not.toBe('ok')
    for (let n = 0; n < 2; n++) await tried(false)
    expect((await tried(true)).code).toBe('ok')
    const waits = timer.mock.calls.map(([, ms]) => ms).filter((ms) => ms === 61 || ms === 122)
    expect(waits).toEqual([61, 122, 122])
  })

  test.each(names)('%s: a wrong try counts as a guess of the network, a right one does not', async (name) => {
    const from = network()
    const one = await triesOf(strict, from)
    expect((await one[name](true)).code).toBe('ok')
    const another = await triesOf(strict, from)
    expect(['ok', 'rate_limited']).not.toContain((await another[name](false)).code)
    const next =
      name === 'the password of a validation' ? 'the password of a sign-in' : 'the password of a validation'
    expect((await another[next](true)).code).toBe('rate_limited')
  })
})
