// Password failures of one account are limited over all networks. Remembered devices and passkeys still sign in.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Counts, createMemoryCounts, createSharedCounts } from '#server/adapters/counts.ts'
import { connected } from '#server/adapters/redis.ts'
import { cookieOf, rememberedDevice } from '#server/testing/people/device.ts'
import { codeIn } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { passkeysIn } from '#server/testing/people/passkeys.ts'
import { openPatientRedis, redisAvailable, startRedis } from '#server/testing/redis.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { compileTrust } from '#server/http/client-address.ts'
import { type Limits, noLimits, usualLimits } from '#server/http/limits.ts'

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

/** The real limits, without the delay of the throttle. */
const limits: Limits = { ...usualLimits, throttle: noLimits.throttle }

const counters: { kind: string; available: boolean; open: () => Promise<Counts | undefined> }[] = [
  { kind: 'in memory', available: true, open: async () => undefined },
  {
    kind: 'in Redis (Debian: apt-get install redis-server)',
    available: redisAvailable(),
    async open() {
      const redis = await startRedis()
      closing.push(() => redis.discard())
      const connection = openPatientRedis(redis.url)
      closing.push(() => connection.disconnect())
      await connected(connection)
      return createSharedCounts(connection, createMemoryCounts(Date.now), () => undefined)
    },
  },
]

describe.each(counters)('counted $kind', ({ available, open }) => {
  describe.skipIf(!available).each(['1', 'loopback, 10.0.0.0/8'])('behind TRUST_PROXY=%s', (setting) => {
    let world: World
    beforeAll(async () => {
      const counts = await open()
      const trustProxy = compileTrust(setting)
      world = await openWorld({ settings: { limits, trustProxy }, parts: counts ? { counts } : {} })
      closing.push(() => world.close())
    })
    const { withPasskey, signIn: signInByKey } = passkeysIn(() => world)

    const signIn = (network: string, email: string, password = 'wrong-1234', headers = {}) =>
      call(
        world,
        null,
        'POST',
        '/auth/sign-in',
        { email, password },
        { 'x-forwarded-for': network, ...headers },
      )
    const codeOf = async (reply: ReturnType<typeof signIn>) => {
      const it = await reply
      return it.statusCode === 200 ? 'ok' : errorOf(it).code
    }
    /** Sends eight wrong passwords from each of 24 networks, with a forged first forwarded address. */
    async function attack(email: string): Promise<string[]> {
      const codes: string[] = []
      for (let round = 0; round < 8; round++)
        for (let network = 1; network <= 24; network++)
          codes.push(await codeOf(signIn(`198.51.100.${round}, 203.0.113.${network}`, email)))
      return codes
    }
    const fifty = [
      ...Array<string>(50).fill('wrong_credentials'),
      ...Array<string>(142).fill('sign_in_paused'),
    ]

    test('after fifty failures from 24 proxied networks, sign-in is paused, also with the right password', async () => {
      const { email } = await signUp(world)
      expect(await attack(email)).toEqual(fifty)
      const right = await signIn('203.0.113.99', email, PASSWORD)
      expect([right.statusCode, errorOf(right).code]).toEqual([429, 'sign_in_paused'])
      const wait = Number(right.headers['retry-after'])
      expect([wait > 3000, wait <= 3600]).toEqual([true, true])
      expect(await codeOf(signIn('203.0.113.99', 'another-person@example.com'))).toBe('wrong_credentials')
    })

    test('an address without an account gets the same replies', async () => {
      expect(await attack(`none-${setting.length}@example.com`)).toEqual(fifty)
    })

    test('during the attack, a remembered device and a passkey sign in', async () => {
      const { member, key } = await withPasskey()
      const device = await rememberedDevice(world, member)
      await attack(member.email)
      expect(await codeOf(signIn('203.0.113.99', member.email, PASSWORD, device))).toBe('ok')
      // Also from a network that has used up its own budget of failures.
      for (let i = 0; i < 110; i++) await signIn('203.0.113.98', `other-${i}@example.com`)
      expect(await codeOf(signIn('203.0.113.98', member.email, PASSWORD, device))).toBe('ok')
      expect((await signInByKey(key)).statusCode).toBe(200)
    })

    test('the device of another person and a forged cookie do not count as remembered devices', async () => {
      const [member, other] = [await signUp(world), await signUp(world)]
      const othersDevice = await rememberedDevice(world, other)
      const [value = ''] = othersDevice.cookie.split('.')
      await attack(member.email)
      for (const cookie of [othersDevice.cookie, `${value}.${'x'.repeat(43)}`, 'todoke_device=x'])
        expect(await codeOf(signIn('203.0.113.97', member.email, PASSWORD, { cookie }))).toBe(
          'sign_in_paused',
        )
    })

    test('during the attack, the owner resets the password on a new device and signs in', async () => {
      const member: Member = await signUp(world)
      const from = { 'x-forwarded-for': '203.0.113.96' }
      const post = (path: string, body: object) => call(world, null, 'POST', `/auth/reset${path}`, body, from)
      await attack(member.email)
      const { request_id } = (await post('', { email: member.email })).json()
      const code = await codeIn(world, member.email)
      const { password_reset_token } = (await post('/code', { request_id, code })).json()
      const changed = await post('/password', { password_reset_token, password: 'asagiri-2026' })
      const signedIn = signIn('203.0.113.96', member.email, 'asagiri-2026', cookieOf(changed))
      expect(await codeOf(signedIn)).toBe('ok')
    })

    test('right passwords do not count as failures', async () => {
      const { email } = await signUp(world)
      for (let network = 1; network <= 60; network++)
        expect(await codeOf(signIn(`203.0.113.${network + 100}`, email, PASSWORD))).toBe('ok')
    })
  })
})
