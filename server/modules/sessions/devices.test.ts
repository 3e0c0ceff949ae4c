// The list of an account's sessions, and ending sessions from another one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SessionView } from '#contract/accounts/sessions.ts'
import { defined } from '#contract/testing/defined.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0'

let world: World
beforeAll(async () => {
  world = await openWorld({ parts: { places: { of: (ip) => (ip === '127.0.0.1' ? '日本 札幌市' : null) } } })
})
afterAll(() => world.close())

/** Signs the same person in on one more device. */
async function signInOn(member: Member, userAgent: string): Promise<Member> {
  const credentials = { email: member.email, password: 'todoke-1234' }
  const reply = await call(world, null, 'POST', '/auth/sign-in', credentials, { 'user-agent': userAgent })
  const { token } = reply.json<{ token: string }>()
  return { ...member, token, auth: { authorization: `Bearer ${token}` } }
}

async function sessionsOf(member: Member): Promise<SessionView[]> {
  const reply = await call(world, member, 'GET', '/auth/sessions')
  return reply.json<{ sessions: SessionView[] }>().sessions
}

describe('the list of sessions', () => {
  test('has device, place, address and times, and starts with the requesting session', async () => {
    const member = await signUp(world)
    const phone = await signInOn(member, IPHONE)
    world.clock.now += 61_000
    const desk = await signInOn(member, WINDOWS)
    const list = await sessionsOf(phone)
    expect(list.slice(0, 2).map((it) => [it.device, it.place, it.ip, it.method, it.current])).toEqual([
      [{ name: 'iPhone の Safari', kind: 'phone' }, '日本 札幌市', '127.0.0.1', 'password', true],
      [{ name: 'Windows の Edge', kind: 'desktop' }, '日本 札幌市', '127.0.0.1', 'password', false],
    ])
    expect(list).toHaveLength(3)
    expect(list[0]?.last_used_at).toBe(new Date(world.clock.now).toISOString())
    expect((await sessionsOf(desk))[0]?.device.name).toBe('Windows の Edge')
  })

  test('contains no token and no hash of one', async () => {
    const member = await signUp(world)
    const reply = await call(world, member, 'GET', '/auth/sessions')
    expect(Object.keys(defined(reply.json<{ sessions: object[] }>().sessions[0])).toSorted()).toEqual(
      ['created_at', 'current', 'device', 'id', 'ip', 'last_used_at', 'method', 'place'].toSorted(),
    )
  })

  test('contains only sessions of the member', async () => {
    const [one, other] = [await signUp(world), await signUp(world)]
    const ids = new Set((await sessionsOf(one)).map((it) => it.id))
    expect((await sessionsOf(other)).some((it) => ids.has(it.id))).toBe(false)
    expect(errorOf(await call(world, null, 'GET', '/auth/sessions')).code).toBe('unauthenticated')
  })

  test('shows a long User-Agent with markup as a device without a name', async () => {
    const member = await signUp(world)
    const odd = await signInOn(member, `Mozilla/5.0 <script>alert(1)</script> ${'x'.repeat(9000)}`)
    expect((await sessionsOf(odd))[0]?.device).toEqual({ name: '', kind: 'other' })
  })
})

describe('ending a session', () => {
  test('ends it at its next request and leaves the others', async () => {
    const phone = await signUp(world)
    const desk = await signInOn(phone, WINDOWS)
    const [deskSession] = await sessionsOf(desk)
    expect((await call(world, phone, 'DELETE', `/auth/sessions/${deskSession?.id}`)).json()).toEqual({
      revoked: true,
    })
    expect(errorOf(await call(world, desk, 'GET', '/auth/session')).code).toBe('unauthenticated')
    expect((await call(world, phone, 'GET', '/auth/session')).statusCode).toBe(200)
  })

  test('of another member is not_found, and that session continues', async () => {
    const [one, other] = [await signUp(world), await signUp(world)]
    const [otherSession] = await sessionsOf(other)
    const reply = await call(world, one, 'DELETE', `/auth/sessions/${otherSession?.id}`)
    expect([reply.statusCode, errorOf(reply).code]).toEqual([404, 'not_found'])
    expect((await call(world, other, 'GET', '/auth/session')).statusCode).toBe(200)
  })

  test('a second time is not_found, and a malformed id is invalid', async () => {
    const phone = await signUp(world)
    const desk = await signInOn(phone, WINDOWS)
    const [deskSession] = await sessionsOf(desk)
    await call(world, phone, 'DELETE', `/auth/sessions/${deskSession?.id}`)
    expect(errorOf(await call(world, phone, 'DELETE', `/auth/sessions/${deskSession?.id}`)).code).toBe(
      'not_found',
    )
    expect(errorOf(await call(world, phone, 'DELETE', '/auth/sessions/1')).code).toBe('invalid')
  })

  test('by one request for all others leaves the requesting one and those of other members', async () => {
    const [phone, stranger] = [await signUp(world), await signUp(world)]
    const desk = await signInOn(phone, WINDOWS)
    expect((await call(world, phone, 'DELETE', '/auth/sessions')).json()).toEqual({ revoked: 1 })
    expect(errorOf(await call(world, desk, 'GET', '/auth/session')).code).toBe('unauthenticated')
    expect((await call(world, phone, 'GET', '/auth/session')).statusCode).toBe(200)
    expect((await call(world, stranger, 'GET', '/auth/session')).statusCode).toBe(200)
  })

  test('with the cookie only changes nothing', async () => {
    const member = await signUp(world)
    await signInOn(member, WINDOWS)
    const cookie = { cookie: `todoke_token=${encodeURIComponent(`Bearer ${member.token}`)}` }
    const reply = await call(world, null, 'DELETE', '/auth/sessions', undefined, cookie)
    expect(errorOf(reply).code).toBe('unauthenticated')
    expect(await sessionsOf(member)).toHaveLength(2)
  })
})
