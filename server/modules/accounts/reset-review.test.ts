// The review after a password reset: ended sessions, remaining passkeys and sessions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RESET_MS } from '#contract/accounts/password.ts'
import { newAuthenticator } from '#server/testing/clients/authenticator.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { codeIn, emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import { outcome, passkeysIn, refused } from '#server/testing/people/passkeys.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const NEW = 'asagiri-2026'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('after a reset', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    const { register, signIn: signInWithPasskey } = passkeysIn(() => world)

    const post = (path: string, body: object, headers?: Record<string, string>) =>
      call(world, null, 'POST', `/auth${path}`, body, headers)

    async function tokenFor({ email }: Member): Promise<string> {
      const { request_id } = (await post('/reset', { email })).json()
      const reply = await post('/reset/code', { request_id, code: await codeIn(world, email) })
      return reply.json().password_reset_token
    }
    const changePassword = (token: string) =>
      post('/reset/password', { password_reset_token: token, password: NEW })
    const review = (token: string, path = '', more: object = {}): Promise<Reply> =>
      post(`/reset/review${path}`, { password_reset_token: token, ...more })

    test('the reply lists the ended sessions, and the review lists the remaining passkeys', async () => {
      const member = await signUp(world)
      await post('/sign-in', { email: member.email, password: 'todoke-1234' }, { 'user-agent': SAFARI })
      await validate(world, member)
      const key = newAuthenticator(member.id)
      await register(member, key)
      const token = await tokenFor(member)
      const { ended } = (await changePassword(token)).json()
      expect(ended.map((it: { device: { name: string } }) => it.device.name).toSorted()).toEqual([
        '',
        'iPhone の Safari',
      ])
      expect((await review(token)).json()).toEqual({
        passkeys: [expect.objectContaining({ id: key.id, name: 'パスキー' })],
        sessions: [],
      })
    })

    test('the token of the reset removes a passkey, which signs in no longer, and an email reports it', async () => {
      const member = await signUp(world)
      await validate(world, member)
      const [one, two] = [newAuthenticator(member.id), newAuthenticator(member.id)]
      await register(member, one)
      await register(member, two)
      const token = await tokenFor(member)
      await changePassword(token)
      const remaining = await review(token, '/passkey', { passkey_id: one.id })
      expect(remaining.json().passkeys.map((it: { id: string }) => it.id)).toEqual([two.id])
      expect(outcome(await signInWithPasskey(one))).toEqual(refused)
      expect((await signInWithPasskey(two)).statusCode).toBe(200)
      expect((await emailsTo(world, member.email)).map((it) => it.is)).toContain('passkey_removed')
      expect((await review(token, '/passkey', { passkey_id: one.id })).statusCode).toBe(200)
    })

    test('sessions opened after the reset are listed, and are ended one by one or all at once', async () => {
      const member = await signUp(world)
      const token = await tokenFor(member)
      await changePassword(token)
      const open = async (agent: string) => {
        const reply = await post('/sign-in', { email: member.email, password: NEW }, { 'user-agent': agent })
        return { ...member, auth: { authorization: `Bearer ${reply.json().token}` } }
      }
      const [first, second, third] = [await open(SAFARI), await open(''), await open('')]
      const { sessions } = (await review(token)).json()
      expect(sessions).toHaveLength(3)
      const safari = sessions.find((it: { device: { kind: string } }) => it.device.kind === 'phone')
      const remaining = await review(token, '/sessions', { session_id: safari.id })
      expect(remaining.json().sessions).toHaveLength(2)
      const status = async (as: Member) => (await call(world, as, 'GET', '/auth/session')).statusCode
      expect([await status(first), await status(second)]).toEqual([401, 200])
      expect((await review(token, '/sessions')).json().sessions).toEqual([])
      expect([await status(second), await status(third)]).toEqual([401, 401])
    })

    test('the token of one member lists and ends nothing of another', async () => {
      const [member, other] = [await signUp(world), await signUp(world)]
      await validate(world, other)
      const key = newAuthenticator(other.id)
      await register(other, key)
      const token = await tokenFor(member)
      await changePassword(token)
      expect((await review(token)).json()).toEqual({ passkeys: [], sessions: [] })
      await review(token, '/passkey', { passkey_id: key.id })
      await review(token, '/sessions')
      expect((await signInWithPasskey(key)).statusCode).toBe(200)
      expect((await call(world, other, 'GET', '/auth/session')).statusCode).toBe(200)
    })

    test('the token is refused before the password change, a quarter of an hour after it, and if altered', async () => {
      const member = await signUp(world)
      const token = await tokenFor(member)
      const codeOf = async (given: string) => errorOf(await review(given)).code
      expect(await codeOf(token)).toBe('link_invalid')
      await changePassword(token)
      expect((await review(token)).statusCode).toBe(200)
      expect(await codeOf(`${token.slice(0, -2)}AA`)).toBe('link_invalid')
      world.clock.now += RESET_MS
      expect(await codeOf(token)).toBe('link_invalid')
      expect(errorOf(await review(token, '/sessions')).code).toBe('link_invalid')
    })
  })
})
