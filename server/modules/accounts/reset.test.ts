// Password resets, and attacks on the reset of another person (specification section 2).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAIL_CODE_MS } from '#contract/accounts/mail-code.ts'
import { RESET_MS } from '#contract/accounts/password.ts'
import { codeIn, emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, PASSWORD, type Reply, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { forgetUnfinished } from './expiry.ts'

const NEW = 'asagiri-2026'

/** A code that is surely another one. */
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const said = (reply: Reply) => [reply.statusCode, errorOf(reply)?.code]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a forgotten password', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const ask = (email: string) => call(world, null, 'POST', '/auth/reset', { email })
    /** Asks, and gives the id of the request. */
    const asked = async (email: string) => (await ask(email)).json().request_id as string
    const check = (request: string, code: string) =>
      call(world, null, 'POST', '/auth/reset/code', { request_id: request, code })
    const reset = (token: string, password = NEW) =>
      call(world, null, 'POST', '/auth/reset/password', { password_reset_token: token, password })
    const signIn = (email: string, password: string, more: object = {}) =>
      call(world, null, 'POST', '/auth/sign-in', { email, password, ...more })
    const tokenFor = async ({ email }: Member) => {
      const request = await asked(email)
      return (await check(request, await codeIn(world, email))).json().password_reset_token as string
    }

    test('is replaced by code and token; every session ends, and an email says so', async () => {
      const member = await signUp(world)
      const reply = (await ask(` ${member.email.toUpperCase()}`)).json()
      expect(reply).toEqual({
        sent: true,
        request_id: expect.stringMatching(/^[\w-]{43}$/),
        again_after_s: 3600,
      })
      const code = await codeIn(world, member.email)
      expect(code).toMatch(/^\d{6}$/)
      const { password_reset_token: token } = (await check(reply.request_id, code)).json()
      expect((await reset(token)).json()).toEqual({
        changed: true,
        ended: [expect.objectContaining({ current: false })],
      })
      expect(said(await call(world, member, 'GET', '/auth/session'))).toEqual([401, 'unauthenticated'])
      expect(said(await signIn(member.email, PASSWORD))).toEqual([401, 'wrong_credentials'])
      expect((await signIn(member.email, NEW)).statusCode).toBe(200)
      expect((await emailsTo(world, member.email)).map((it) => it.is)).toEqual([
        'reset_code',
        'password_changed',
      ])
    })

    test('the code may be typed in full width, with spaces and hyphens', async () => {
      const { email } = await signUp(world)
      const request = await asked(email)
      const code = await codeIn(world, email)
      const wide = Array.from(code, (it) => String.fromCodePoint(0xff10 + Number(it))).join('')
      const typed = ` ${wide.slice(0, 3)}－${wide.slice(3)} `
      expect((await check(request, typed)).statusCode).toBe(200)
    })

    test('a code and a token are each good once', async () => {
      const member = await signUp(world)
      const request = await asked(member.email)
      const code = await codeIn(world, member.email)
      const token = (await check(request, code)).json().password_reset_token as string
      expect(said(await check(request, code))).toEqual([410, 'code_expired'])
      expect((await reset(token)).statusCode).toBe(200)
      expect(said(await reset(token, 'another-pass-1'))).toEqual([410, 'link_invalid'])
      expect(said(await check(request, code))).toEqual([410, 'code_expired'])
      expect((await signIn(member.email, NEW)).statusCode).toBe(200)
    })

    test('a code lives half an hour, a token a quarter', async () => {
      const late = await signUp(world)
      const request = await asked(late.email)
      const code = await codeIn(world, late.email)
      const slow = await tokenFor(await signUp(world))
      const now = world.clock.now
      world.clock.now += RESET_MS
      const token = await reset(slow)
      world.clock.now = now + MAIL_CODE_MS
      await forgetUnfinished(world.deps)
      const typed = await check(request, code)
      world.clock.now = now
      expect(said(token)).toEqual([410, 'link_invalid'])
      expect(said(typed)).toEqual([410, 'code_expired'])
    })

    test('five wrong tries kill a code, also all at once; the right one is then too late', async () => {
      const [slow, quick] = [await signUp(world), await signUp(world)]
      const requests = [await asked(slow.email), await asked(quick.email)] as const
      const codes = [await codeIn(world, slow.email), await codeIn(world, quick.email)] as const
      for (let i = 0; i < 5; i++)
        expect(said(await check(requests[0], wrong(codes[0])))).toEqual([422, 'code_wrong'])
      expect(said(await check(requests[0], codes[0]))).toEqual([410, 'code_expired'])
      const many = Array.from({ length: 12 }, () => check(requests[1], wrong(codes[1])))
      for (const reply of await Promise.all(many)) expect(said(reply)).toEqual([422, 'code_wrong'])
      expect(said(await check(requests[1], codes[1]))).toEqual([410, 'code_expired'])
    })

    test('the fifth try may still be the right one', async () => {
      const { email } = await signUp(world)
      const request = await asked(email)
      const code = await codeIn(world, email)
      for (let i = 0; i < 4; i++) await check(request, wrong(code))
      expect((await check(request, code)).statusCode).toBe(200)
    })

    test('a right code that comes on many lines at once gives one token', async () => {
      const { email } = await signUp(world)
      const request = await asked(email)
      const code = await codeIn(world, email)
      const replies = await Promise.all([1, 2, 3, 4].map(() => check(request, code)))
      expect(replies.map((it) => it.statusCode).toSorted()).toEqual([200, 410, 410, 410])
    })

    test('a token that comes on many lines at once changes the password once', async () => {
      const token = await tokenFor(await signUp(world))
      const replies = await Promise.all([1, 2, 3, 4].map((n) => reset(token, `many-lines-${n}`)))
      expect(replies.map((it) => it.statusCode).toSorted()).toEqual([200, 410, 410, 410])
    })

    test('the code of one person opens nobody else', async () => {
      const [one, other] = [await signUp(world), await signUp(world)]
      const requests = [await asked(one.email), await asked(other.email)] as const
      const code = await codeIn(world, one.email)
      if (code !== (await codeIn(world, other.email)))
        expect(said(await check(requests[1], code))).toEqual([422, 'code_wrong'])
      expect((await check(requests[0], code)).statusCode).toBe(200)
    })

    test('an address without an account is answered the same: asking, and typing any code', async () => {
      const { email } = await signUp(world)
      const nobody = 'nobody@example.com'
      const [known, unknown] = [await ask(email), await ask(nobody)]
      const shape = ({ statusCode, body }: Reply) => [statusCode, body.replace(/[\w-]{43}/, 'an id')]
      expect(shape(unknown)).toEqual(shape(known))
      const ids = [known.json().request_id, unknown.json().request_id] as [string, string]
      const code = await codeIn(world, email)
      expect(await emailsTo(world, nobody)).toEqual([])
      // As often as one likes: a known address must not become another answer after five tries.
      for (let i = 0; i < 7; i++) {
        const [guess, shot] = [await check(ids[0], wrong(code)), await check(ids[1], wrong(code))]
        expect([shot.statusCode, shot.body]).toEqual([guess.statusCode, guess.body])
      }
    })

    test.each(['', 'x', `${'0'.repeat(36)}.${'a'.repeat(43)}`, '__proto__'])(
      'a token that was made up (%j) changes nothing',
      async (token) => {
        const reply = await reset(token)
        expect(token === '' ? [422, 'invalid'] : [410, 'link_invalid']).toEqual(said(reply))
      },
    )

    test('the token of one person with the id of another is none', async () => {
      const one = await tokenFor(await signUp(world))
      const other = await tokenFor(await signUp(world))
      const mixed = `${one.split('.')[0]}.${other.split('.')[1]}`
      expect(said(await reset(mixed))).toEqual([410, 'link_invalid'])
    })

    test('no table holds the code, the token, or the address that asked', async () => {
      const member = await signUp(world)
      const request = await asked(member.email)
      const tables = async (names: readonly string[]) => {
        const all = await Promise.all(names.map((it) => world.database.executeSql(`select * from ${it}`)))
        return JSON.stringify(all.map((it) => it.rows))
      }
      expect(await tables(['pgboss.job'])).not.toContain(member.email)
      const code = await codeIn(world, member.email)
      const token = (await check(request, code)).json().password_reset_token as string
      const everything = await tables(['mail_codes', 'letters', 'pgboss.job'])
      expect(everything).not.toContain(`"${code}"`)
      expect(everything).not.toContain(token.split('.')[1])
      expect(everything).not.toContain(request)
    })

    test('whoever proves the code and then signs in takes the reset along in the session data', async () => {
      const member = await signUp(world)
      const token = await tokenFor(member)
      const entered = await signIn(member.email, PASSWORD, { password_reset_token: token })
      expect(entered.json().user.password_reset_token).toBe(token)
      const auth = { authorization: `Bearer ${entered.json().token}` }
      const session = () => call(world, { ...member, auth }, 'GET', '/auth/session')
      expect((await session()).json().user.password_reset_token).toBe(token)
      expect((await call(world, member, 'GET', '/auth/session')).json().user).not.toHaveProperty(
        'password_reset_token',
      )
      const now = world.clock.now
      world.clock.now += RESET_MS
      expect((await session()).json().user).not.toHaveProperty('password_reset_token')
      world.clock.now = now
      expect((await reset(token)).statusCode).toBe(200)
    })

    test('another person’s token, a used one and a made-up one are left at the door; the sign-in goes on', async () => {
      const [member, other] = [await signUp(world), await signUp(world)]
      const [theirs, used] = [await tokenFor(other), await tokenFor(member)]
      await reset(used)
      for (const token of [theirs, used, 'x'.repeat(80)]) {
        const reply = await signIn(member.email, NEW, { password_reset_token: token })
        expect(reply.statusCode).toBe(200)
        expect(reply.json().user).not.toHaveProperty('password_reset_token')
      }
    })
  })
})
