// Registration: confirming the email creates the account (specification sections 5 and 7).
import { REGISTRATION_MS } from '#contract/limits.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { noLimits } from '#server/http/limits.ts'
import { tokenIn, emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepRegistrations } from './expiry.ts'

const person = {
  password: PASSWORD,
  name: '花子',
  birth_date: '1990-01-01',
  terms: true,
}
let n = 0
const newAddress = () => `hanako${++n}@example.com`

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('registering', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const register = async (email: string, more: object = {}) => {
      const reply = await call(world, null, 'POST', '/auth/sign-up', { ...person, email, ...more })
      return reply.json<{ registration_id: string; claim: string }>()
    }
    const confirm = (body: object) => call(world, null, 'POST', '/auth/sign-up/confirm', body)
    const signIn = (email: string) =>
      call(world, null, 'POST', '/auth/sign-in', { email, password: PASSWORD })
    const outcome = (reply: { statusCode: number }) => [reply.statusCode, errorOf(reply as never)?.code]

    test('opens no session: sign-in is refused until the email is confirmed', async () => {
      const email = newAddress()
      await register(email)
      expect(outcome(await signIn(email))).toEqual([401, 'wrong_credentials'])
    })

    test('on the device that registered, the link alone opens a session, with the address in lower case', async () => {
      const email = newAddress()
      const { claim } = await register(` ${email.toUpperCase()} `)
      const reply = await confirm({ token: await tokenIn(world, email), claim })
      expect(reply.json()).toMatchObject({
        token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'Bearer',
        user: { email, name: '花子', avatar_url: null, role: 'member' },
      })
      const { rows } = await world.database.executeSql(
        'select method, s.ip from sessions s join users u on u.id = s.user_id where u.email = $1',
        [email],
      )
      expect(rows).toEqual([{ method: 'registration', ip: '127.0.0.1' }])
      expect((await signIn(email)).statusCode).toBe(200)
    })

    test('on another device the link also requires the password', async () => {
      const email = newAddress()
      await register(email)
      const token = await tokenIn(world, email)
      expect(outcome(await confirm({ token }))).toEqual([403, 'confirm_password'])
      expect(outcome(await confirm({ token, claim: 'another' }))).toEqual([403, 'confirm_password'])
      expect(outcome(await confirm({ token, password: 'todoke-9999' }))).toEqual([401, 'wrong_credentials'])
      expect((await confirm({ token, password: PASSWORD })).json().user.email).toBe(email)
    })

    test('a link is valid once, for a day, and only unchanged', async () => {
      const [email, late] = [newAddress(), newAddress()]
      const { claim } = await register(email)
      const token = await tokenIn(world, email)
      expect((await confirm({ token, claim })).statusCode).toBe(200)
      expect(outcome(await confirm({ token, claim }))).toEqual([410, 'link_invalid'])
      expect(outcome(await confirm({ token: `${token.slice(0, -1)}!`, claim }))).toEqual([
        410,
        'link_invalid',
      ])
      const second = await register(late)
      const lateToken = await tokenIn(world, late)
      world.clock.now += REGISTRATION_MS
      const after = await confirm({ token: lateToken, claim: second.claim })
      await sweepRegistrations(world.deps)
      world.clock.now -= REGISTRATION_MS
      expect(outcome(after)).toEqual([410, 'link_invalid'])
    })

    test('the hourly sweep deletes expired registrations and no others', async () => {
      const registered = async () =>
        (await world.database.executeSql('select email from registrations')).rows.map(
          (row) => (row as { email: string }).email,
        )
      const [old, fresh] = [newAddress(), newAddress()]
      await register(old)
      world.clock.now += REGISTRATION_MS - 1000
      await register(fresh)
      world.clock.now += 2000
      await sweepRegistrations(world.deps)
      expect(await registered()).toContain(fresh)
      expect(await registered()).not.toContain(old)
      world.clock.now -= REGISTRATION_MS + 1000
    })

    test('a link that four requests confirm at once creates one account and one session', async () => {
      const email = newAddress()
      const { claim } = await register(email)
      const token = await tokenIn(world, email)
      const replies = await Promise.all([1, 2, 3, 4].map(() => confirm({ token, claim })))
      expect(replies.map((it) => it.statusCode).toSorted()).toEqual([200, 410, 410, 410])
      const count = (sql: string) => world.database.executeSql(sql, [email])
      const accounts = await count(
        'select count(*)::int n from users u join sessions s on s.user_id = u.id where email = $1',
      )
      expect(accounts.rows).toEqual([{ n: 1 }])
    })

    test('of two registrations of one address the first to be confirmed gets it, and the other link is refused', async () => {
      const email = newAddress()
      const one = await register(email)
      const tokenOfOne = await tokenIn(world, email)
      const two = await register(email, { password: 'stranger-1' })
      const tokenOfTwo = await tokenIn(world, email)
      expect((await confirm({ token: tokenOfOne, claim: one.claim })).statusCode).toBe(200)
      expect(outcome(await confirm({ token: tokenOfTwo, claim: two.claim }))).toEqual([410, 'link_invalid'])
      expect((await signIn(email)).statusCode).toBe(200)
    })

    test('an address that has an account gets the same reply, and an email without a link', async () => {
      const known = (await signUp(world)).email
      const unknown = newAddress()
      const replies = await Promise.all(
        [known, unknown].map((email) => call(world, null, 'POST', '/auth/sign-up', { ...person, email })),
      )
      const shape = (reply: { statusCode: number; json: () => object }) => [
        reply.statusCode,
        Object.entries(reply.json()).map(([name, value]) => [name, String(value).length]),
      ]
      expect(shape(replies[0] as never)).toEqual(shape(replies[1] as never))
      expect(await emailsTo(world, known)).toMatchObject([{ is: 'already_registered' }])
      expect(await emailsTo(world, unknown)).toMatchObject([{ is: 'confirm_registration' }])
      const { registration_id, claim } = replies[0]?.json() ?? {}
      const again = await call(world, null, 'POST', '/auth/sign-up/resend', { registration_id, claim })
      expect(again.json()).toEqual({ sent: true })
    })

    test('the email is sent again with the same link, on a request with the claim', async () => {
      const email = newAddress()
      const { registration_id, claim } = await register(email)
      const resend = (body: object) => call(world, null, 'POST', '/auth/sign-up/resend', body)
      const first = await tokenIn(world, email)
      expect((await resend({ registration_id, claim })).json()).toEqual({ sent: true })
      expect(await tokenIn(world, email)).toBe(first)
      expect(outcome(await resend({ registration_id, claim: 'x' }))).toEqual([410, 'link_invalid'])
      expect(outcome(await resend({ registration_id: newId(), claim }))).toEqual([410, 'link_invalid'])
      expect(await emailsTo(world, email)).toHaveLength(2)
    })

    test('role, id, token and proofs in a body are ignored', async () => {
      const email = newAddress()
      const extra = {
        id: newId(),
        role: 'admin',
        identified_at: '2020-01-01T00:00:00Z',
        email_verified: true,
        token: 'a'.repeat(43),
      }
      const { claim } = await register(email, extra)
      const sentToken = 'b'.repeat(43)
      const token = await tokenIn(world, email)
      const reply = await call(
        world,
        null,
        'POST',
        '/auth/sign-up/confirm',
        { ...extra, token, claim, session: sentToken },
        { cookie: `todoke_token=${encodeURIComponent(`Bearer ${sentToken}`)}` },
      )
      expect(reply.json().user).toMatchObject({ role: 'member', email })
      expect(reply.json().user.id).not.toBe(extra.id)
      expect([sentToken, extra.token]).not.toContain(reply.json().token)
      const { rows } = await world.database.executeSql(
        'select role, identified_at from users where email = $1',
        [email],
      )
      expect(rows).toEqual([{ role: 'member', identified_at: null }])
    })

    test('no table contains the link, the claim, the password or the email text in plain', async () => {
      const email = newAddress()
      const { claim } = await register(email)
      const token = await tokenIn(world, email)
      const tables = ['registrations', 'letters', 'pgboss.job']
      const rows = await Promise.all(tables.map((it) => world.database.executeSql(`select * from ${it}`)))
      const everything = JSON.stringify(rows.map((it) => it.rows))
      expect(everything).toContain(email)
      for (const secret of [claim, token, PASSWORD, 'confirmed?token'])
        expect(everything).not.toContain(secret)
    })
  })
})

describe('a registration', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({
      settings: { limits: { ...noLimits, validation: { max: 3, timeWindow: 60_000 } } },
    })
  })
  afterAll(() => world.close())

  test.each([
    [{ email: 'not an address' }, { email: 'email' }],
    [{ password: 'short1' }, { password: 'password' }],
    [{ password: 'onlyletters' }, { password: 'password' }],
    [{ birth_date: '2020-01-01' }, { birth_date: 'under_age' }],
    [{ name: '  ' }, { name: 'required' }],
    [{ terms: false }, { terms: 'consent' }],
    [{ email: undefined }, { email: 'required' }],
  ])('with %j is refused, and the reply names the field', async (change, fields) => {
    const body = { ...person, email: 'a@example.com', ...change }
    const reply = await call(world, null, 'POST', '/auth/sign-up', body)
    expect(reply.statusCode).toBe(422)
    expect(errorOf(reply)).toEqual({ code: 'invalid', fields })
  })

  test('tries of the password of a link are limited', async () => {
    const email = 'tried@example.com'
    await call(world, null, 'POST', '/auth/sign-up', { ...person, email })
    const token = await tokenIn(world, email)
    const codes: string[] = []
    for (let i = 0; i < 4; i++) {
      const reply = await call(world, null, 'POST', '/auth/sign-up/confirm', { token, password: 'wrong' })
      codes.push(errorOf(reply).code)
    }
    expect(codes).toEqual([...Array<string>(3).fill('wrong_credentials'), 'rate_limited'])
  })

  test('a person who is too young at the confirmation is refused', async () => {
    const email = 'young@example.com'
    const now = world.clock.now
    await call(world, null, 'POST', '/auth/sign-up', { ...person, email, birth_date: '2008-01-01' })
    const token = await tokenIn(world, email)
    // The link is confirmed after the server's clock was corrected to an earlier day.
    world.clock.now = Date.parse('2025-12-31T00:00:00+09:00')
    const reply = await call(world, null, 'POST', '/auth/sign-up/confirm', { token, password: PASSWORD })
    world.clock.now = now
    expect(errorOf(reply).code).toBe('link_invalid')
  })
})
