// Passkeys: registration, validation in a session, management, and refusals.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  assert,
  attest,
  type Authenticator,
  newAuthenticator,
} from '#server/testing/clients/authenticator.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { type Challenge, outcome, passkeysIn, refused, unverified } from '#server/testing/people/passkeys.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepPasskeyChallenges } from './expiry.ts'

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

    describe('registering', () => {
      test('requires a validation within ten minutes, at both steps', async () => {
        const member = await signUp(world)
        const key = newAuthenticator(member.id)
        expect(outcome(await post(member, '/auth/passkeys/challenge'))).toEqual([403, 'validation_required'])
        await validate(world, member)
        const { challenge_id, options } = await requestChallenge(member, '/auth/passkeys')
        world.clock.now += 10 * MINUTE
        const late = await post(member, '/auth/passkeys', {
          challenge_id,
          response: attest(key, options.challenge),
        })
        expect(outcome(late)).toEqual([403, 'validation_required'])
      })

      test('requests a discoverable credential and user verification, and excludes registered passkeys', async () => {
        const { member, key } = await withPasskey()
        const { options } = await requestChallenge(member, '/auth/passkeys')
        expect(options).toMatchObject({
          rp: { id: 'localhost', name: 'とどけ' },
          authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
          excludeCredentials: [{ id: key.id, transports: ['internal'] }],
        })
      })

      test('lists the passkey, and an email reports it', async () => {
        const { member, key } = await withPasskey()
        const list = await call(world, member, 'GET', '/auth/passkeys')
        expect(list.json()).toEqual({
          passkeys: [
            {
              id: key.id,
              name: 'パスキー',
              backed_up: false,
              created_at: new Date(world.clock.now).toISOString(),
              last_used_at: null,
            },
          ],
        })
        const { rows } = (await world.deps.db.execute(sql`select id from letters`)) as {
          rows: { id: string }[]
        }
        const emails = await Promise.all(rows.map(({ id }) => world.deps.outbox.read(world.deps.db, id)))
        const ownEmails = emails.filter((it) => it?.to.email === member.email)
        expect(ownEmails.map((it) => it?.email.is)).toEqual(['passkey_added'])
      })

      test('the same key again is a conflict, also for another member', async () => {
        const { member, key } = await withPasskey()
        expect(outcome(await register(member, key))).toEqual([409, 'conflict'])
        expect(outcome(await register(await newValidated(), key))).toEqual([409, 'conflict'])
      })

      test('a challenge of another member, of another purpose, used or expired is refused', async () => {
        const [one, other] = [await newValidated(), await newValidated()]
        const key = newAuthenticator(one.id)
        const ofOther = await requestChallenge(other, '/auth/passkeys')
        const forSignIn = await requestChallenge(null, '/auth/sign-in/passkey')
        const forValidation = await requestChallenge(one, '/auth/validation/passkey')
        const expired = await requestChallenge(one, '/auth/passkeys')
        const send = ({ challenge_id, options }: Challenge) =>
          post(one, '/auth/passkeys', { challenge_id, response: attest(key, options.challenge) })
        expect(outcome(await send(ofOther))).toEqual(refused)
        expect(outcome(await send(forSignIn))).toEqual(refused)
        expect(outcome(await send(forValidation))).toEqual(refused)
        world.clock.now += 5 * MINUTE
        expect(outcome(await send(expired))).toEqual(refused)
        const valid = await requestChallenge(one, '/auth/passkeys')
        expect((await send(valid)).statusCode).toBe(200)
        expect(outcome(await send(valid))).toEqual(refused)
      })

      test('from another origin is refused', async () => {
        const member = await newValidated()
        const key = newAuthenticator(member.id)
        key.origin = 'https://todoke.example.evil'
        expect(outcome(await register(member, key))).toEqual(refused)
      })

      test('a passkey without user verification is not registered', async () => {
        const member = await newValidated()
        const key = { ...newAuthenticator(member.id), verifies: false }
        expect(outcome(await register(member, key))).toEqual(unverified)
        expect((await call(world, member, 'GET', '/auth/passkeys')).json()).toEqual({ passkeys: [] })
      })

      test('more than twenty passkeys are a conflict', async () => {
        const member = await newValidated()
        for (let n = 0; n < 20; n++) await register(member, newAuthenticator(member.id))
        expect(outcome(await post(member, '/auth/passkeys/challenge'))).toEqual([409, 'conflict'])
      })
    })

    describe('validation with a passkey', () => {
      const validateByPasskey = async (member: Member, key: Authenticator) => {
        const { challenge_id, options } = await requestChallenge(member, '/auth/validation/passkey')
        const response = assert(key, options.challenge)
        return post(member, '/auth/validation/passkey', { challenge_id, response })
      }

      test('lasts ten minutes, like one with the password', async () => {
        const { member, key } = await withPasskey()
        world.clock.now += 10 * MINUTE
        expect(outcome(await post(member, '/auth/passkeys/challenge'))).toEqual([403, 'validation_required'])
        const reply = await validateByPasskey(member, key)
        expect(reply.json()).toEqual({ valid_until: new Date(world.clock.now + 10 * MINUTE).toISOString() })
        expect((await post(member, '/auth/passkeys/challenge')).statusCode).toBe(200)
      })

      test('with the passkey of another member is refused', async () => {
        const [one, other] = [await withPasskey(), await withPasskey()]
        expect(outcome(await validateByPasskey(one.member, other.key))).toEqual(refused)
      })

      test('without user verification is passkey_unverified', async () => {
        const { member, key } = await withPasskey()
        key.verifies = false
        expect(outcome(await validateByPasskey(member, key))).toEqual(unverified)
        key.verifies = true
        expect((await validateByPasskey(member, key)).statusCode).toBe(200)
      })
    })

    describe('managing', () => {
      test('a passkey is renamed only by its owner', async () => {
        const [{ member, key }, other] = [await withPasskey(), await newValidated()]
        const path = `/auth/passkeys/${key.id}`
        const renamed = await call(world, member, 'PUT', path, { name: ' 会社のパソコン ' })
        expect(renamed.json()).toMatchObject({ name: '会社のパソコン' })
        expect(outcome(await call(world, other, 'PUT', path, { name: 'x' }))).toEqual([404, 'not_found'])
        expect(errorOf(await call(world, member, 'PUT', path, { name: ' ' })).fields).toEqual({
          name: 'required',
        })
      })

      test('a passkey is removed only by its owner after a validation, and then signs in no longer', async () => {
        const [{ member, key }, other] = [await withPasskey(), await newValidated()]
        const path = `/auth/passkeys/${key.id}`
        expect(outcome(await call(world, other, 'DELETE', path))).toEqual([404, 'not_found'])
        world.clock.now += 10 * MINUTE
        expect(outcome(await call(world, member, 'DELETE', path))).toEqual([403, 'validation_required'])
        await validate(world, member)
        expect((await call(world, member, 'DELETE', path)).json()).toEqual({ removed: true })
        expect(outcome(await signIn(key))).toEqual(refused)
        const emails = await emailsTo(world, member.email)
        expect(emails.map((it) => it.is)).toEqual(['passkey_added', 'passkey_removed'])
        expect(emails[1]).toMatchObject({ name: 'パスキー', at: world.clock.now })
        expect(outcome(await call(world, member, 'DELETE', path))).toEqual([404, 'not_found'])
        expect(await emailsTo(world, member.email)).toHaveLength(2)
      })

      test('the list contains no passkeys of other members', async () => {
        await withPasskey()
        const stranger = await signUp(world)
        expect((await call(world, stranger, 'GET', '/auth/passkeys')).json()).toEqual({ passkeys: [] })
        expect(errorOf(await call(world, null, 'GET', '/auth/passkeys')).code).toBe('unauthenticated')
      })
    })

    test('the sweep deletes expired challenges', async () => {
      await requestChallenge(null, '/auth/sign-in/passkey')
      world.clock.now += 5 * MINUTE + 1
      await sweepPasskeyChallenges(world.deps)
      const { rows } = (await world.deps.db.execute(sql`select id from passkey_challenges`)) as {
        rows: unknown[]
      }
      expect(rows).toEqual([])
    })
  })
