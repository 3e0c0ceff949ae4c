// Password resets, and attacks on the reset of another person (specification section 2).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAIL_CODE_MS } from '#contract/accounts/mail-code.ts'
import { RESET_MS } from '#contract/accounts/password.ts'
import { codeIn, emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, PASSWORD, type Reply, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepRegistrations } from './expiry.ts'

const NEW = 'asagiri-2026'

/** Returns another code than this one. */
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const outcome = (reply: Reply) => [reply.statusCode, errorOf(reply)?.code]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a password reset', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const postRequest = (email: string) => call(world, null, 'POST', '/auth/reset', { email })
    const requestIdFor = async (email: string) => (await postRequest(email)).json().request_id as string
    const check = (request: string, code: string) =>
      call(world, null, 'POST', '/auth/reset/code', { request_id: request, code })
    const reset = (token: string, password = NEW) =>
      call(world, null, 'POST', '/auth/reset/password', { password_reset_token: token, password })
    const signIn = (email: string, password: string, more: object = {}) =>
      call(world, null, 'POST', '/auth/sign-in', { email, password, ...more })
    const tokenFor = async ({ email }: Member) => {
      const request = await requestIdFor(email)
      return (await check(request, await codeIn(world, email))).json().password_reset_token as string
    }

    test('replaces the password by a code and a token, ends every session and sends an email', async () => {
      const member = await signUp(world)
      const reply = (await postRequest(` ${member.email.toUpperCase()}`)).json()
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
      expect(outcome(await call(world, member, 'GET', '/auth/session'))).toEqual([401, 'unauthenticated'])
      expect(outcome(await signIn(member.email, PASSWORD))).toEqual([401, 'wrong_credentials'])
      expect((await signIn(member.email, NEW)).statusCode).toBe(200)
      expect((await emailsTo(world, member.email)).map((it) => it.is)).toEqual([
        'reset_code',
        'password_changed',
      ])
    })

    test('the code may be typed in full width, with spaces and hyphens', async () => {
      const { email } = await signUp(world)
      const request = await requestIdFor(email)
      const code = await codeIn(world, email)
      const wide = Array.from(code, (it) => String.fromCodePoint(0xff10 + Number(it))).join('')
      const typed = ` ${wide.slice(0, 3)}－${wide.slice(3)} `
      expect((await check(request, typed)).statusCode).toBe(200)
    })

    test('a code and a token are each valid once', async () => {
      const member = await signUp(world)
      const request = await requestIdFor(member.email)
      const code = await codeIn(world, member.email)
      const token = (await check(request, code)).json().password_reset_token as string
      expect(outcome(await check(request, code))).toEqual([410, 'code_expired'])
      expect((await reset(token)).statusCode).toBe(200)
      expect(outcome(await reset(token, 'another-pass-1'))).toEqual([410, 'link_invalid'])
      expect(outcome(await check(request, code))).toEqual([410, 'code_expired'])
      expect((await signIn(member.email, NEW)).statusCode).toBe(200)
    })

    test('a code is valid for half an hour, a token for a quarter of an hour', async () => {
      const late = await signUp(world)
      const request = await requestIdFor(late.email)
      const code = await codeIn(world, late.email)
      const slow = await tokenFor(await signUp(world))
      const now = world.clock.now
      world.clock.now += RESET_MS
      const token = await reset(slow)
      world.clock.now = now + MAIL_CODE_MS
      await sweepRegistrations(world.deps)
      const typed = await check(request, code)
      world.clock.now = now
      expect(outcome(token)).toEqual([410, 'link_invalid'])
      expect(outcome(typed)).toEqual([410, 'code_expired'])
    })

    test('after five wrong tries, also concurrent ones, the right code is refused as expired', async () => {
      const [slow, quick] = [await signUp(world), await signUp(world)]
      const requests = [await requestIdFor(slow.email), await requestIdFor(quick.email)] as const
      const codes = [await codeIn(world, slow.email), await codeIn(world, quick.email)] as const
      for (let i = 0; i < 5; i++)
        expect(outcome(await check(requests[0], wrongCode(codes[0])))).toEqual([422, 'code_wrong'])
      expect(outcome(await check(requests[0], codes[0]))).toEqual([410, 'code_expired'])
      const many = Array.from({ length: 12 }, () => check(requests[1], wrongCode(codes[1])))
      for (const reply of await Promise.all(many)) expect(outcome(reply)).toEqual([422, 'code_wrong'])
      expect(outcome(await check(requests[1], codes[1]))).toEqual([410, 'code_expired'])
    })

    test('the right code is accepted at the fifth try', async () => {
      const { email } = await signUp(world)
      const request = await requestIdFor(email)
      const code = await codeIn(world, email)
      for (let i = 0; i < 4; i++) await check(request, wrongCode(code))
      expect((await check(request, code)).statusCode).toBe(200)
    })

    test('the right code in four concurrent requests returns one token', async () => {
      const { email } = await signUp(world)
      const request = await requestIdFor(email)
      const code = await codeIn(world, email)
      const replies = await Promise.all([1, 2, 3, 4].map(() => check(request, code)))
      expect(replies.map((it) => it.statusCode).toSorted()).toEqual([200, 410, 410, 410])
    })

    test('a token in four concurrent requests changes the password once', async () => {
      const token = await tokenFor(await signUp(world))
      const replies = await Promise.all([1, 2, 3, 4].map((n) => reset(token, `concurrent-${n}`)))
      expect(replies.map((it) => it.statusCode).toSorted()).toEqual([200, 410, 410, 410])
    })

    test('the code of one member is refused for the request of another', async () => {
      const [one, other] = [await signUp(world), await signUp(world)]
      const requests = [await requestIdFor(one.email), await requestIdFor(other.email)] as const
      const code = await codeIn(world, one.email)
      if (code !== (await codeIn(world, other.email)))
        expect(outcome(await check(requests[1], code))).toEqual([422, 'code_wrong'])
      expect((await check(requests[0], code)).statusCode).toBe(200)
    })

    test('an address without an account gets the same replies to requests and codes', async () => {
      const { email } = await signUp(world)
      const withoutAccount = 'nobody@example.com'
      const [known, unknown] = [await postRequest(email), await postRequest(withoutAccount)]
      const shape = ({ statusCode, body }: Reply) => [statusCode, body.replace(/[\w-]{43}/, 'an id')]
      expect(shape(unknown)).toEqual(shape(known))
      const ids = [known.json().request_id, unknown.json().request_id] as [string, string]
      const code = await codeIn(world, email)
      expect(await emailsTo(world, withoutAccount)).toEqual([])
      // Also after more than five tries, which expire the code of the known address.
      for (let i = 0; i < 7; i++) {
        const replies = [await check(ids[0], wrongCode(code)), await check(ids[1], wrongCode(code))] as const
        expect([replies[1].statusCode, replies[1].body]).toEqual([replies[0].statusCode, replies[0].body])
      }
    })

    test.each(['', 'x', `${'0'.repeat(36)}.${'a'.repeat(43)}`, '__proto__'])(
      'an invented token (%j) is refused',
      async (token) => {
        const reply = await reset(token)
        expect(token === '' ? [422, 'invalid'] : [410, 'link_invalid']).toEqual(outcome(reply))
      },
    )

    test('a token with the id of one member and the MAC of another is refused', async () => {
      const one = await tokenFor(await signUp(world))
      const other = await tokenFor(await signUp(world))
      const mixed = `${one.split('.')[0]}.${other.split('.')[1]}`
      expect(outcome(await reset(mixed))).toEqual([410, 'link_invalid'])
    })

    test('no table contains the code, the token or the request id, and no job contains the address', async () => {
      const member = await signUp(world)
      const request = await requestIdFor(member.email)
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

    test('a sign-in with a reset token returns the token in the session data', async () => {
      const member = await signUp(world)
      const token = await tokenFor(member)
      const signedIn = await signIn(member.email, PASSWORD, { password_reset_token: token })
      expect(signedIn.json().user.password_reset_token).toBe(token)
      const auth = { authorization: `Bearer ${signedIn.json().token}` }
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

    test('a sign-in ignores the reset token of another member, a used one and an invented one', async () => {
      const [member, other] = [await signUp(world), await signUp(world)]
      const [ofOther, used] = [await tokenFor(other), await tokenFor(member)]
      await reset(used)
      for (const token of [ofOther, used, 'x'.repeat(80)]) {
        const reply = await signIn(member.email, NEW, { password_reset_token: token })
        expect(reply.statusCode).toBe(200)
        expect(reply.json().user).not.toHaveProperty('password_reset_token')
      }
    })
  })
})
