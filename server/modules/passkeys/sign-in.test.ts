// Signing in with a passkey: without an address or a password, and everything that must be refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assert, newAuthenticator } from '#server/testing/clients/authenticator.ts'
import { call, PASSWORD } from '#server/testing/people/members.ts'
import { outcome, passkeysIn, refused, unverified } from '#server/testing/people/passkeys.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const MINUTE = 60_000
let world: World
const { post, ask, proven, register, withPasskey, signIn } = passkeysIn(() => world)

for (const { kind, available } of databases)
  describe.skipIf(!available)(`on ${kind}`, () => {
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    describe('signing in', () => {
      test('opens a session of the key’s owner without an address or a password', async () => {
        const { member, key } = await withPasskey()
        const reply = await signIn(key)
        expect(reply.json()).toMatchObject({ token_type: 'Bearer', user: { id: member.id } })
        const auth = { authorization: `Bearer ${reply.json<{ token: string }>().token}` }
        const { sessions } = (await call(world, { ...member, auth }, 'GET', '/auth/sessions')).json()
        expect(sessions[0]).toMatchObject({ current: true, method: 'passkey' })
        const { passkeys } = (await call(world, member, 'GET', '/auth/passkeys')).json()
        expect(passkeys[0].last_used_at).toBe(new Date(world.clock.now).toISOString())
      })

      test('a key that has not verified its person is passkey_unverified, and the password signs in', async () => {
        const { member, key } = await withPasskey()
        key.verifies = false
        expect(outcome(await signIn(key))).toEqual(unverified)
        const credentials = { email: member.email, password: PASSWORD }
        expect((await post(null, '/auth/sign-in', credentials)).statusCode).toBe(200)
        key.verifies = true
        expect((await signIn(key)).statusCode).toBe(200)
      })

      test('the question is the same for everybody, names no key and asks for user verification', async () => {
        await withPasskey()
        const { options } = await ask(null, '/auth/sign-in/passkey')
        expect(options['userVerification']).toBe('required')
        expect(options['allowCredentials']).toEqual([])
      })

      test('an answer sent again is refused', async () => {
        const { key } = await withPasskey()
        const { challenge_id, options } = await ask(null, '/auth/sign-in/passkey')
        const answer = { challenge_id, response: assert(key, options.challenge) }
        expect((await post(null, '/auth/sign-in/passkey', answer)).statusCode).toBe(200)
        expect(outcome(await post(null, '/auth/sign-in/passkey', answer))).toEqual(refused)
      })

      test('an answer sent again under a new challenge is refused', async () => {
        const { key } = await withPasskey()
        const first = await ask(null, '/auth/sign-in/passkey')
        const response = assert(key, first.options.challenge)
        const second = await ask(null, '/auth/sign-in/passkey')
        const reply = await post(null, '/auth/sign-in/passkey', {
          challenge_id: second.challenge_id,
          response,
        })
        expect(outcome(reply)).toEqual(refused)
      })

      test('the same answer twice at one moment opens one session', async () => {
        const { key } = await withPasskey()
        const { challenge_id, options } = await ask(null, '/auth/sign-in/passkey')
        const answer = { challenge_id, response: assert(key, options.challenge) }
        const replies = await Promise.all([1, 2].map(() => post(null, '/auth/sign-in/passkey', answer)))
        expect(replies.map((it) => it.statusCode).toSorted()).toEqual([200, 403])
      })

      test('five minutes after the question is too late', async () => {
        const { key } = await withPasskey()
        const late = await signIn(key, (asked) => {
          world.clock.now += 5 * MINUTE
          return asked
        })
        expect(outcome(late)).toEqual(refused)
      })

      test('a challenge given to somebody for their own session is refused', async () => {
        const { member, key } = await withPasskey()
        const { challenge_id, options } = await ask(member, '/auth/validation/passkey')
        const response = assert(key, options.challenge)
        expect(outcome(await post(null, '/auth/sign-in/passkey', { challenge_id, response }))).toEqual(
          refused,
        )
      })

      test('from another origin is refused, though the key signed it', async () => {
        const { key } = await withPasskey()
        key.origin = 'http://localhost:9999'
        expect(outcome(await signIn(key))).toEqual(refused)
      })

      test('a signature of another key is refused', async () => {
        const { key } = await withPasskey()
        const other = newAuthenticator('')
        expect(outcome(await signIn({ ...key, keys: other.keys }))).toEqual(refused)
      })

      test('a key nobody has, or that says it is another person’s, is refused', async () => {
        const [one, other] = [await withPasskey(), await withPasskey()]
        expect(outcome(await signIn(newAuthenticator(one.member.id)))).toEqual(refused)
        expect(outcome(await signIn({ ...one.key, userHandle: other.key.userHandle }))).toEqual(refused)
      })

      test('a counter that has not grown is refused: the key may have been copied', async () => {
        const { key } = await withPasskey()
        const copy = { ...key }
        expect((await signIn(key)).statusCode).toBe(200)
        expect(outcome(await signIn(copy))).toEqual(refused)
        expect((await signIn(key)).statusCode).toBe(200)
      })

      test('a key that counts nothing is taken again and again', async () => {
        const member = await proven()
        const key = newAuthenticator(member.id)
        key.counter = null
        await register(member, key)
        expect((await signIn(key)).statusCode).toBe(200)
        expect((await signIn(key)).statusCode).toBe(200)
      })

      test.each([
        [{ response: 'x' }],
        [{ response: { id: '../..', rawId: 'a', type: 'public-key', response: {} } }],
        [{ challenge_id: 'no id' }],
        [{}],
      ])('a body like %j is invalid', async (body) => {
        expect(outcome(await post(null, '/auth/sign-in/passkey', body))).toEqual([422, 'invalid'])
      })
    })
  })
