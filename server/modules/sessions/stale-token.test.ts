// An exchanged token that is used later: refused, and from another device the session ends.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cookieOf } from '#server/testing/people/device.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const HOUR = 3600_000
const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0'

/** A browser with its session token, its cookie and User-Agent, and its network address. */
interface Browser {
  readonly token: string
  readonly headers: Record<string, string>
  readonly from: string
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an exchanged token', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const get = ({ token, headers, from }: Browser) =>
      world.app.inject({
        url: '/api/auth/session',
        headers: { ...headers, authorization: `Bearer ${token}` },
        remoteAddress: from,
      })
    const status = async (browser: Browser) => (await get(browser)).statusCode
    const endedEmails = async ({ email }: Member) =>
      (await emailsTo(world, email)).filter((it) => it.is === 'session_ended')

    async function open(
      member: Member,
      headers: Record<string, string> = {},
      from = '192.0.2.1',
    ): Promise<Browser> {
      const reply = await world.app.inject({
        method: 'POST',
        url: '/api/auth/sign-in',
        payload: { email: member.email, password: PASSWORD },
        headers,
        remoteAddress: from,
      })
      return { token: reply.json().token, headers: { ...headers, ...cookieOf(reply) }, from }
    }
    /** Returns the browser with the token that its day-old one is exchanged for. */
    async function exchanged(browser: Browser): Promise<Browser> {
      world.clock.now += 24 * HOUR
      const fresh = { ...browser, token: (await get(browser)).json().token as string }
      await get(fresh)
      return fresh
    }

    async function signedIn(headers: Record<string, string> = {}) {
      const member = await signUp(world)
      const browser = await open(member, headers)
      await get(browser)
      return { member, browser }
    }

    test('from another browser ends the session, and its owner gets an email', async () => {
      const { member, browser } = await signedIn()
      const other = await open(await signUp(world), { 'user-agent': EDGE }, '198.51.100.7')
      const fresh = await exchanged(browser)
      world.clock.now += 3 * 60_000
      expect(await status({ ...other, token: browser.token })).toBe(401)
      expect(await status(fresh)).toBe(401)
      expect(await endedEmails(member)).toEqual([
        { is: 'session_ended', device: 'Windows の Edge', place: '198.51.100.7', at: world.clock.now },
      ])
      await get({ ...other, token: browser.token })
      expect(await endedEmails(member), 'sent once').toHaveLength(1)
    })

    test('from a program without a cookie ends the session, also with the User-Agent of the browser', async () => {
      for (const from of ['198.51.100.7', '192.0.2.1']) {
        const { member, browser } = await signedIn({ 'user-agent': EDGE })
        const fresh = await exchanged(browser)
        world.clock.now += 3 * 60_000
        const name = from === browser.from ? 'curl/8' : EDGE
        expect(await status({ token: browser.token, headers: { 'user-agent': name }, from })).toBe(401)
        expect([await status(fresh), (await endedEmails(member)).length]).toEqual([401, 1])
      }
    })

    test('that is thirty exchanges old also ends the session from another device', async () => {
      const { member, browser } = await signedIn()
      let fresh = browser
      for (let day = 0; day < 30; day++) fresh = await exchanged(fresh)
      const otherDevice = { token: browser.token, headers: {}, from: '198.51.100.7' }
      expect([await status(otherDevice), await status(fresh), (await endedEmails(member)).length]).toEqual([
        401, 401, 1,
      ])
    })

    test('from its own browser is refused and ends no session, from any network and at any time', async () => {
      const { member, browser } = await signedIn()
      const first = await exchanged(browser)
      world.clock.now += 3 * 60_000
      expect(await status({ ...browser, from: '198.51.100.7' })).toBe(401)
      const second = await exchanged(first)
      world.clock.now += HOUR
      expect([await status(browser), await status(first), await status(second)]).toEqual([401, 401, 200])
      expect(await endedEmails(member)).toEqual([])
    })

    test('is valid for two minutes for requests under way, and ends no session', async () => {
      const { member, browser } = await signedIn()
      const fresh = await exchanged(browser)
      const late = await Promise.all([1, 2, 3].map(() => get(browser)))
      expect(late.map((it) => it.statusCode)).toEqual([200, 200, 200])
      expect([await status(fresh), await endedEmails(member)]).toEqual([200, []])
    })

    test('from a browser without cookies ends no session after a change of network', async () => {
      const member = await signUp(world)
      const browser = { token: member.token, headers: { 'user-agent': EDGE }, from: '192.0.2.1' }
      await world.database.executeSql('update sessions set device = $2 where user_id = $1', [member.id, EDGE])
      const fresh = await exchanged(browser)
      world.clock.now += 3 * 60_000
      expect(await status({ ...browser, from: '198.51.100.7' })).toBe(401)
      expect([await status(fresh), await endedEmails(member)]).toEqual([200, []])
    })

    test('from the owner ends the session if a copy was exchanged on another device first', async () => {
      const { member, browser } = await signedIn()
      const thief = await exchanged({ token: browser.token, headers: {}, from: '198.51.100.7' })
      world.clock.now += 3 * 60_000
      expect(await status(browser)).toBe(401)
      expect([await status(thief), (await endedEmails(member)).length]).toEqual([401, 1])
    })

    test('in ten concurrent requests causes one email', async () => {
      const { member, browser } = await signedIn()
      await exchanged(browser)
      world.clock.now += 3 * 60_000
      const stolen = { token: browser.token, headers: {}, from: '198.51.100.7' }
      await Promise.all(Array.from({ length: 10 }, () => get(stolen)))
      expect(await endedEmails(member)).toHaveLength(1)
    })

    test('of a session that was bound later is recognised as its own browser’s', async () => {
      const member = await signUp(world)
      const bare = { token: member.token, headers: {}, from: '192.0.2.1' }
      const [one, two] = await Promise.all([get(bare), get(bare)])
      expect(cookieOf(one)).toEqual(cookieOf(two))
      const browser = { ...bare, headers: cookieOf(one) }
      expect(cookieOf(await get(browser)).cookie).toBe('')
      const fresh = await exchanged(browser)
      world.clock.now += 3 * 60_000
      expect(await status({ ...browser, from: '198.51.100.7' })).toBe(401)
      expect([await status(fresh), await endedEmails(member)]).toEqual([200, []])
    })
  })
})
