// The second factor: setup, codes that are accepted once, sign-in, validation, and limits.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { noLimits, usualLimits } from '#server/http/limits.ts'
import { codeAt } from '#server/services/auth/totp.ts'
import { openSecret } from '#server/services/auth/second-factor.ts'
import { findSecondFactor } from '#server/store/accounts/second-factor.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { identify } from '#server/testing/people/identity.ts'
import { call, type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const STEP = 30_000

let world: World
const post = (as: Member | null, path: string, body?: object) => call(world, as, 'POST', path, body)
const proven = async () => {
  const person = await signUp(world)
  await identify(world, person)
  return person
}
/** The code of the app, so many steps from now. */
async function codeOf(person: Member, steps = 0): Promise<string> {
  const factor = await findSecondFactor(world.deps.db, person.id)
  if (!factor) throw new Error('no second factor')
  return codeAt(openSecret(world.deps.secrets, factor), world.clock.now + steps * STEP)
}
/** Turns the second factor on, and waits for the next code. @returns the recovery codes */
async function turnOn(person: Member): Promise<string[]> {
  await post(person, '/auth/second-factor')
  const { codes } = (await post(person, '/auth/second-factor/confirm', { code: await codeOf(person) })).json()
  world.clock.now += STEP
  return codes
}
const signIn = (person: Member, code?: string, password = PASSWORD) =>
  post(null, '/auth/sign-in', { email: person.email, password, ...(code !== undefined && { code }) })
const wrong = { error: { code: 'invalid', fields: { code: 'wrong_code' } } }

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the second factor', () => {
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    test('is on after one right code, with ten recovery codes, and its owner is informed by email', async () => {
      const person = await proven()
      const begun = (await post(person, '/auth/second-factor')).json()
      expect(begun.uri).toContain(`secret=${begun.secret}`)
      expect(begun.secret).toMatch(/^[A-Z2-7]{32}$/)
      expect((await call(world, person, 'GET', '/auth/second-factor')).json()).toEqual({
        since: null,
        codes_left: 0,
      })
      expect(outcomeOf(await signIn(person))).toBe(200)
      expect((await post(person, '/auth/second-factor/confirm', { code: '000000' })).json()).toEqual(wrong)
      const { codes } = (
        await post(person, '/auth/second-factor/confirm', { code: await codeOf(person) })
      ).json()
      expect(new Set(codes).size).toBe(10)
      for (const it of codes) expect(it).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}$/)
      expect((await call(world, person, 'GET', '/auth/second-factor')).json()).toEqual({
        since: new Date(world.clock.now).toISOString(),
        codes_left: 10,
      })
      expect((await emailsTo(world, person.email)).map((it) => it.is)).toContain('second_factor_on')
      expect(outcomeOf(await post(person, '/auth/second-factor'))).toBe('conflict')
      const { rows } = await world.database.executeSql(
        'select sealed from second_factors where user_id = $1',
        [person.id],
      )
      expect(JSON.stringify(rows)).not.toContain(begun.secret)
    })

    test('is required after a right password only', async () => {
      const person = await proven()
      await turnOn(person)
      expect(outcomeOf(await signIn(person))).toBe('second_factor_required')
      for (const code of [undefined, await codeOf(person)])
        expect(outcomeOf(await signIn(person, code, 'wrong-password'))).toBe('wrong_credentials')
      expect(outcomeOf(await signIn(person, await codeOf(person)))).toBe(200)
    })

    test.each([-1, 0, 1])('accepts the code of step %i', async (steps) => {
      const person = await proven()
      await turnOn(person)
      world.clock.now += STEP
      expect(outcomeOf(await signIn(person, await codeOf(person, steps)))).toBe(200)
    })

    test.each([-2, 2])('refuses the code of step %i', async (steps) => {
      const person = await proven()
      await turnOn(person)
      world.clock.now += 2 * STEP
      expect((await signIn(person, await codeOf(person, steps))).json()).toEqual(wrong)
    })

    test('accepts a code once, nor an earlier one after it, also of two requests at once', async () => {
      const person = await proven()
      await turnOn(person)
      world.clock.now += STEP
      const code = await codeOf(person)
      const both = await Promise.all([signIn(person, code), signIn(person, code)])
      expect(both.map((it) => it.statusCode).toSorted()).toEqual([200, 422])
      for (const it of [code, await codeOf(person, -1)])
        expect((await signIn(person, it)).json()).toEqual(wrong)
      expect(outcomeOf(await signIn(person, await codeOf(person, 1)))).toBe(200)
    })

    test('has recovery codes, each accepted once, however it is typed, and none of another person', async () => {
      const [person, other] = [await proven(), await proven()]
      const [codes, others] = [await turnOn(person), await turnOn(other)]
      const [first = '', second = ''] = codes
      const both = await Promise.all([signIn(person, first), signIn(person, first)])
      expect(both.map((it) => it.statusCode).toSorted()).toEqual([200, 422])
      expect(outcomeOf(await signIn(person, ` ${second.toUpperCase().replace('-', ' ')} `))).toBe(200)
      expect((await signIn(person, others[0])).json()).toEqual(wrong)
      expect((await call(world, person, 'GET', '/auth/second-factor')).json().codes_left).toBe(8)
      const renewed = (await post(person, '/auth/second-factor/codes')).json().codes
      expect((await signIn(person, codes[2])).json()).toEqual(wrong)
      expect(outcomeOf(await signIn(person, renewed[0]))).toBe(200)
    })

    test('is required at a validation too', async () => {
      const person = await proven()
      await turnOn(person)
      const validate = (code?: string) =>
        post(person, '/auth/validation', { password: PASSWORD, ...(code !== undefined && { code }) })
      expect(outcomeOf(await validate())).toBe('second_factor_required')
      expect((await validate('123456')).json()).toEqual(wrong)
      expect(outcomeOf(await validate(await codeOf(person)))).toBe(200)
    })

    test('is changed only after a validation, and its removal is announced by email', async () => {
      const person = await proven()
      await turnOn(person)
      world.clock.now += 10 * 60_000
      const calls = [
        () => post(person, '/auth/second-factor'),
        () => post(person, '/auth/second-factor/codes'),
        async () => post(person, '/auth/second-factor/confirm', { code: await codeOf(person) }),
        () => call(world, person, 'DELETE', '/auth/second-factor'),
      ]
      for (const it of calls) expect(outcomeOf(await it())).toBe('validation_required')
      await identify(world, person)
      expect(outcomeOf(await call(world, person, 'DELETE', '/auth/second-factor'))).toBe(200)
      expect((await emailsTo(world, person.email)).map((it) => it.is)).toContain('second_factor_off')
      expect(outcomeOf(await signIn(person))).toBe(200)
      for (const method of ['DELETE', 'POST'] as const)
        expect(
          outcomeOf(
            await call(world, person, method, `/auth/second-factor${method === 'POST' ? '/codes' : ''}`),
          ),
        ).toBe('not_found')
    })

    test('of two confirmations at once is turned on by one, whose codes are valid', async () => {
      const person = await proven()
      await post(person, '/auth/second-factor')
      const code = await codeOf(person)
      const confirm = () => post(person, '/auth/second-factor/confirm', { code })
      const both = await Promise.all([confirm(), confirm()])
      expect(both.map(outcomeOf).toSorted()).toEqual([200, 'conflict'])
      const codes = both.find((it) => it.statusCode === 200)?.json().codes
      expect(outcomeOf(await signIn(person, codes[0]))).toBe(200)
    })
  })
})

describe('wrong codes', () => {
  beforeAll(async () => {
    world = await openWorld({ settings: { limits: { ...noLimits, codeFailures: usualLimits.codeFailures } } })
    return () => world.close()
  })

  test('are ten in an hour for one account, over all networks, and a right one is refused after them', async () => {
    const person = await proven()
    const other = await proven()
    await Promise.all([turnOn(person), turnOn(other)])
    const tries = await Promise.all(Array.from({ length: 12 }, () => signIn(person, '000000')))
    expect(tries.filter((it) => outcomeOf(it) === 'sign_in_paused')).toHaveLength(2)
    expect(outcomeOf(await signIn(person, await codeOf(person)))).toBe('sign_in_paused')
    expect(outcomeOf(await signIn(other, await codeOf(other)))).toBe(200)
    expect(
      outcomeOf(
        await post(null, '/auth/sign-in', {
          email: `${newId()}@example.com`,
          password: PASSWORD,
          code: '000000',
        }),
      ),
    ).toBe('wrong_credentials')
  })
})
