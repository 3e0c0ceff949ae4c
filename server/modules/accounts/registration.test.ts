// Registering: an account begins when its email is answered (specification sections 5 and 7).
import { REGISTRATION_MS } from '#contract/limits.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { noLimits } from '#server/http/limits.ts'
import { tokenIn, emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { forgetUnfinished } from './expiry.ts'

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

    const asked = async (email: string, more: object = {}) => {
      const reply = await call(world, null, 'POST', '/auth/sign-up', { ...person, email, ...more })
      return reply.json<{ registration_id: string; claim: string }>()
    }
    const confirm = (body: object) => call(world, null, 'POST', '/auth/sign-up/confirm', body)
    const signIn = (email: string) =>
      call(world, null, 'POST', '/auth/sign-in', { email, password: PASSWORD })
    const said = (reply: { statusCode: number }) => [reply.statusCode, errorOf(reply as never)?.code]

    test('opens no session: before the email is answered nobody signs in', async () => {
      const email = newAddress()
      await asked(email)
      expect(said(await signIn(email))).toEqual([401, 'wrong_credentials'])
    })

    test('on the device that registered the link is enough; the person is signed in, in lower case, by registration', async () => {
      const email = newAddress()
      const { claim } = await asked(` ${email.toUpperCase()} `)
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

    test('elsewhere the password is asked: none, a wrong claim, a wrong password, the right one', async () => {
      const email = newAddress()
      await asked(email)
      const token = await tokenIn(world, email)
      expect(said(await confirm({ token }))).toEqual([403, 'confirm_password'])
      expect(said(await confirm({ token, claim: 'another' }))).toEqual([403, 'confirm_password'])
      expect(said(await confirm({ token, password: 'todoke-9999' }))).toEqual([401, 'wrong_credentials'])
      expect((await confirm({ token, password: PASSWORD })).json().user.email).toBe(email)
    })

    test('a link is good once, for a day, and only as it was written', async () => {
      const [email, late] = [newAddress(), newAddress()]
      const { claim } = await asked(email)
      const token = await tokenIn(world, email)
      expect((await confirm({ token, claim })).statusCode).toBe(200)
      expect(said(await confirm({ token, claim }))).toEqual([410, 'link_invalid'])
      expect(said(await confirm({ token: `${token.slice(0, -1)}!`, claim }))).toEqual([410, 'link_invalid'])
      const second = await asked(late)
      const lateToken = await tokenIn(world, late)
      world.clock.now += REGISTRATION_MS
      const after = await confirm({ token: lateToken, claim: second.claim })
      await forgetUnfinished(world.deps)
      world.clock.now -= REGISTRATION_MS
      expect(said(after)).toEqual([410, 'link_invalid'])
    })

    test('what has run out is forgotten by the hourly clearing up, what has not stays', async () => {
      const waiting = async () =>
        (await world.database.executeSql('select email from registrations')).rows.map(
          (it) => (it as { email: string }).email,
        )
      const [old, fresh] = [newAddress(), newAddress()]
      await asked(old)
      world.clock.now += REGISTRATION_MS - 1000
      await asked(fresh)
      world.clock.now += 2000
      await forgetUnfinished(world.deps)
      expect(await waiting()).toContain(fresh)
      expect(await waiting()).not.toContain(old)
      world.clock.now -= REGISTRATION_MS + 1000
    })

    test('pressed on two devices at once, the link makes one account and one session', async () => {
      const email = newAddress()
      const { claim } = await asked(email)
      const token = await tokenIn(world, email)
      const replies = await Promise.all([1, 2, 3, 4].map(() => confirm({ token, claim })))
      expect(replies.map((it) => it.statusCode).toSorted()).toEqual([200, 410, 410, 410])
      const count = (sql: string) => world.database.executeSql(sql, [email])
      const made = await count(
        'select count(*)::int n from users u join sessions s on s.user_id = u.id where email = $1',
      )
      expect(made.rows).toEqual([{ n: 1 }])
    })

    test('two registrations of one address: the first that is confirmed gets it, the other’s link is used up', async () => {
      const email = newAddress()
      const one = await asked(email)
      const tokenOfOne = await tokenIn(world, email)
      const two = await asked(email, { password: 'stranger-1' })
      const tokenOfTwo = await tokenIn(world, email)
      expect((await confirm({ token: tokenOfOne, claim: one.claim })).statusCode).toBe(200)
      expect(said(await confirm({ token: tokenOfTwo, claim: two.claim }))).toEqual([410, 'link_invalid'])
      expect((await signIn(email)).statusCode).toBe(200)
    })

    test('an address that has an account gets the same answer, and an email that says so instead of a link', async () => {
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

    test('the email is sent again with the same link, to whoever has the claim', async () => {
      const email = newAddress()
      const { registration_id, claim } = await asked(email)
      const resend = (body: object) => call(world, null, 'POST', '/auth/sign-up/resend', body)
      const first = await tokenIn(world, email)
      expect((await resend({ registration_id, claim })).json()).toEqual({ sent: true })
      expect(await tokenIn(world, email)).toBe(first)
      expect(said(await resend({ registration_id, claim: 'x' }))).toEqual([410, 'link_invalid'])
      expect(said(await resend({ registration_id: newId(), claim }))).toEqual([410, 'link_invalid'])
      expect(await emailsTo(world, email)).toHaveLength(2)
    })

    test('at most five of an address wait at the same time; the oldest make room', async () => {
      const email = newAddress()
      const first = await asked(email)
      const token = await tokenIn(world, email)
      for (let i = 0; i < 5; i++) await asked(email)
      expect(said(await confirm({ token, claim: first.claim }))).toEqual([410, 'link_invalid'])
      const { rows } = await world.database.executeSql(
        'select count(*)::int n from registrations where email = $1',
        [email],
      )
      expect(rows).toEqual([{ n: 5 }])
    })

    test('what a body says about role, id, token or proofs is not heard', async () => {
      const email = newAddress()
      const extra = {
        id: newId(),
        role: 'admin',
        identified_at: '2020-01-01T00:00:00Z',
        email_verified: true,
        token: 'a'.repeat(43),
      }
      const { claim } = await asked(email, extra)
      const given = 'b'.repeat(43)
      const token = await tokenIn(world, email)
      const reply = await call(
        world,
        null,
        'POST',
        '/auth/sign-up/confirm',
        { ...extra, token, claim, session: given },
        { cookie: `todoke_token=${encodeURIComponent(`Bearer ${given}`)}` },
      )
      expect(reply.json().user).toMatchObject({ role: 'member', email })
      expect(reply.json().user.id).not.toBe(extra.id)
      expect([given, extra.token]).not.toContain(reply.json().token)
      const { rows } = await world.database.executeSql(
        'select role, identified_at from users where email = $1',
        [email],
      )
      expect(rows).toEqual([{ role: 'member', identified_at: null }])
    })

    test('no table holds the link, the claim, or the email in plain text', async () => {
      const email = newAddress()
      const { claim } = await asked(email)
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
  ])('refuses %j with the field named', async (change, fields) => {
    const body = { ...person, email: 'a@example.com', ...change }
    const reply = await call(world, null, 'POST', '/auth/sign-up', body)
    expect(reply.statusCode).toBe(422)
    expect(errorOf(reply)).toEqual({ code: 'invalid', fields })
  })

  test('the password of a link is not tried for ever', async () => {
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

  test('somebody who turns out to be too young when confirming is not let in', async () => {
    const email = 'young@example.com'
    const now = world.clock.now
    await call(world, null, 'POST', '/auth/sign-up', { ...person, email, birth_date: '2008-01-01' })
    const token = await tokenIn(world, email)
    // The email is answered with the server's clock set right again.
    world.clock.now = Date.parse('2025-12-31T00:00:00+09:00')
    const reply = await call(world, null, 'POST', '/auth/sign-up/confirm', { token, password: PASSWORD })
    world.clock.now = now
    expect(errorOf(reply).code).toBe('link_invalid')
  })
})
