// Sign-in with a passkey, without an address or a password, and its refusals.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assert, newAuthenticator } from '#server/testing/clients/authenticator.ts'
import { call, PASSWORD } from '#server/testing/people/members.ts'
import { outcome, passkeysIn, refused, unverified } from '#server/testing/people/passkeys.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const MINUTE = 60_000
let world: World
const {
  post,
  ask: requestChallenge,
  proven: newValidated,
  register,
  withPasskey,
  signIn,
} = passkeysIn(() => world)

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

      test('a passkey without user verification is passkey_unverified, and the password signs in', async () => {
        const { member, key } = await withPasskey()
        key.verifies = false
        expect(outcome(await signIn(key))).toEqual(unverified)
        const credentials = { email: member.email, password: PASSWORD }
        expect((await post(null, '/auth/sign-in', credentials)).statusCode).toBe(200)
        key.verifies = true
        expect((await signIn(key)).statusCode).toBe(200)
      })

      test('the options list no passkey and require user verification', async () => {
        await withPasskey()
        const { options } = await requestChallenge(null, '/auth/sign-in/passkey')
        expect(options['userVerification']).toBe('required')
        expect(options['allowCredentials']).toEqual([])
      })

      test('a repeated assertion is refused', async () => {
        const { key } = await withPasskey()
        const { challenge_id, options } = await requestChallenge(null, '/auth/sign-in/passkey')
        const body = { challenge_id, response: assert(key, options.challenge) }
        expect((await post(null, '/auth/sign-in/passkey', body)).statusCode).toBe(200)
        expect(outcome(await post(null, '/auth/sign-in/passkey', body))).toEqual(refused)
      })

      test('an assertion repeated with the id of a new challenge is refused', async () => {
        const { key } = await withPasskey()
        const first = await requestChallenge(null, '/auth/sign-in/passkey')
        const response = assert(key, first.options.challenge)
        const second = await requestChallenge(null, '/auth/sign-in/passkey')
        const reply = await post(null, '/auth/sign-in/passkey', {
          challenge_id: second.challenge_id,
          response,
        })
        expect(outcome(reply)).toEqual(refused)
      })

      test('one assertion in two concurrent requests opens one session', async () => {
        const { key } = await withPasskey()
        const { challenge_id, options } = await requestChallenge(null, '/auth/sign-in/passkey')
        const body = { challenge_id, response: assert(key, options.challenge) }
        const replies = await Promise.all([1, 2].map(() => post(null, '/auth/sign-in/passkey', body)))
        expect(replies.map((it) => it.statusCode).toSorted()).toEqual([200, 403])
      })

      test('an assertion is refused five minutes after its challenge', async () => {
        const { key } = await withPasskey()
        const late = await signIn(key, (challenge) => {
          world.clock.now += 5 * MINUTE
          return challenge
        })
        expect(outcome(late)).toEqual(refused)
      })

      test('a challenge for the validation of a session is refused', async () => {
        const { member, key } = await withPasskey()
        const { challenge_id, options } = await requestChallenge(member, '/auth/validation/passkey')
        const response = assert(key, options.challenge)
        expect(outcome(await post(null, '/auth/sign-in/passkey', { challenge_id, response }))).toEqual(
          refused,
        )
      })

      test('an assertion from another origin is refused', async () => {
        const { key } = await withPasskey()
        key.origin = 'http://localhost:9999'
        expect(outcome(await signIn(key))).toEqual(refused)
      })

      test('a signature of another key is refused', async () => {
        const { key } = await withPasskey()
        const other = newAuthenticator('')
        expect(outcome(await signIn({ ...key, keys: other.keys }))).toEqual(refused)
      })

      test('an unregistered passkey and one with another member’s user handle are refused', async () => {
        const [one, other] = [await withPasskey(), await withPasskey()]
        expect(outcome(await signIn(newAuthenticator(one.member.id)))).toEqual(refused)
        expect(outcome(await signIn({ ...one.key, userHandle: other.key.userHandle }))).toEqual(refused)
      })

      test('a counter that has not grown is refused: the passkey may have been copied', async () => {
        const { key } = await withPasskey()
        const copy = { ...key }
        expect((await signIn(key)).statusCode).toBe(200)
        expect(outcome(await signIn(copy))).toEqual(refused)
        expect((await signIn(key)).statusCode).toBe(200)
      })

      test('a passkey without a counter is accepted every time', async () => {
        const member = await newValidated()
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
