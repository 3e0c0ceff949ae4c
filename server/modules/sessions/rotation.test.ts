// A session's token is exchanged every day, without a sign-out.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const HOUR = 3600_000

const withToken = (member: Member, token: string): Member => ({
  ...member,
  token,
  auth: { authorization: `Bearer ${token}` },
})
const getSession = (world: World, member: Member) => call(world, member, 'GET', '/auth/session')

for (const { kind, available } of databases)
  describe.skipIf(!available)(`on ${kind}`, () => {
    let world: World
    const logLines: string[] = []
    beforeAll(async () => {
      const logTo = { write: (line: string) => void logLines.push(line) }
      world = await openWorld({ database: kind, settings: { logLevel: 'warn', logTo } })
    })
    afterAll(() => world.close())

    /** A member whose token is a day old. */
    async function dayOld(): Promise<Member> {
      const member = await signUp(world)
      world.clock.now += 24 * HOUR
      return member
    }
    async function exchanged(member: Member): Promise<Member> {
      const { token } = (await getSession(world, member)).json<{ token: string }>()
      return withToken(member, token)
    }

    test('a token younger than a day is not exchanged', async () => {
      const member = await signUp(world)
      world.clock.now += 23.9 * HOUR
      expect((await getSession(world, member)).json()).not.toHaveProperty('token')
    })

    test('get-session exchanges a token that is a day old, and both are valid until the new one is used', async () => {
      const old = await dayOld()
      const fresh = await exchanged(old)
      expect(fresh.token).toMatch(/^[\w-]{43}$/)
      expect(fresh.token).not.toBe(old.token)
      world.clock.now += 100 * HOUR
      expect((await getSession(world, old)).statusCode).toBe(200)
      expect((await getSession(world, fresh)).json()).toMatchObject({ user: { id: old.id } })
    })

    test('five requests, as after lost replies, get the same token', async () => {
      const old = await dayOld()
      const tokens = new Set<string>()
      for (let n = 0; n < 5; n++) tokens.add((await exchanged(old)).token)
      expect(tokens.size).toBe(1)
    })

    test('two concurrent requests get the same token, and it is valid', async () => {
      const old = await dayOld()
      const members = await Promise.all([exchanged(old), exchanged(old)])
      expect(members[0].token).toBe(members[1].token)
      expect((await getSession(world, members[0])).statusCode).toBe(200)
    })

    test('the first use of the new token by ten concurrent requests ends no session', async () => {
      const old = await dayOld()
      const fresh = await exchanged(old)
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, n) => getSession(world, n % 2 === 0 ? fresh : old)),
      )
      expect(replies.map((it) => it.statusCode)).toEqual(Array.from({ length: 10 }, () => 200))
    })

    test('after the new token was used, the old one is valid for two minutes and then unauthenticated', async () => {
      const old = await dayOld()
      const fresh = await exchanged(old)
      await getSession(world, fresh)
      world.clock.now += 119_000
      expect((await getSession(world, old)).statusCode).toBe(200)
      world.clock.now += 1000
      const late = await getSession(world, old)
      expect([late.statusCode, errorOf(late).code]).toEqual([401, 'unauthenticated'])
      expect((await getSession(world, fresh)).statusCode).toBe(200)
    })

    test('a late use of an exchanged token logs a warning without the token, and the session continues', async () => {
      const old = await dayOld()
      const fresh = await exchanged(old)
      await getSession(world, fresh)
      world.clock.now += 119_000
      logLines.length = 0
      await getSession(world, old)
      expect(logLines, 'no warning within the grace period').toEqual([])
      world.clock.now += 24 * HOUR
      expect(errorOf(await getSession(world, old)).code).toBe('unauthenticated')
      const reply = await call(world, fresh, 'GET', '/auth/sessions')
      const [session] = reply.json<{ sessions: { id: string }[] }>().sessions
      expect(logLines.map((it) => JSON.parse(it) as object)).toEqual([
        expect.objectContaining({
          level: 40,
          msg: 'a token was used after it had been exchanged',
          session: session?.id,
        }),
      ])
      expect(logLines.join('')).not.toContain(old.token)
      // The holder of the new token keeps the session, and may end it in the list.
      expect((await getSession(world, fresh)).statusCode).toBe(200)
      expect((await call(world, fresh, 'DELETE', `/auth/sessions/${session?.id}`)).statusCode).toBe(200)
      logLines.length = 0
      expect(errorOf(await getSession(world, old)).code).toBe('unauthenticated')
      expect(logLines, 'no warning about a token without a session').toEqual([])
    })

    test('within the grace period the old token is not exchanged again', async () => {
      const old = await dayOld()
      await getSession(world, await exchanged(old))
      expect((await getSession(world, old)).json()).not.toHaveProperty('token')
    })

    test('the token changes every day, and the session stays the same', async () => {
      let member = await dayOld()
      const seen = new Set([member.token])
      const idOf = async () =>
        (await call(world, member, 'GET', '/auth/sessions')).json<{ sessions: { id: string }[] }>()
          .sessions[0]?.id
      const id = await idOf()
      for (let day = 0; day < 4; day++) {
        member = await exchanged(member)
        await getSession(world, member)
        seen.add(member.token)
        world.clock.now += 24 * HOUR
      }
      expect(seen.size).toBe(5)
      expect(await idOf()).toBe(id)
    })

    test('signing out with the old token in its grace period ends the session for the new one too', async () => {
      const old = await dayOld()
      const fresh = await exchanged(old)
      await getSession(world, fresh)
      expect((await call(world, old, 'POST', '/auth/sign-out')).statusCode).toBe(200)
      expect(errorOf(await getSession(world, fresh)).code).toBe('unauthenticated')
    })

    test('a request with the cookie only exchanges no token', async () => {
      const old = await dayOld()
      const cookie = { cookie: `todoke_token=${encodeURIComponent(`Bearer ${old.token}`)}` }
      const reply = await call(world, null, 'GET', '/auth/session', undefined, cookie)
      expect(reply.statusCode).toBe(200)
      expect(reply.json()).not.toHaveProperty('token')
    })

    test('no session row contains the new token', async () => {
      const fresh = await exchanged(await dayOld())
      const { rows } = await world.database.executeSql('select * from sessions')
      expect(JSON.stringify(rows)).not.toContain(fresh.token)
    })
  })
