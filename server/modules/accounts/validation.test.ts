// Password validation, and changes of the password.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VALIDATION_MS } from '#contract/accounts/password.ts'
import { noLimits } from '#server/http/limits.ts'
import { codeIn, emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, PASSWORD, type Reply, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const NEW = 'asagiri-2026'

let world: World
beforeAll(async () => {
  const limits = { ...noLimits, validation: { max: 6, timeWindow: 60_000 } }
  world = await openWorld({ settings: { limits } })
})
afterAll(() => world.close())

const statusAndError = (reply: Reply) => [reply.statusCode, errorOf(reply)]
const validate = (as: Member | null, password = PASSWORD) =>
  call(world, as, 'POST', '/auth/validation', { password })
const change = (as: Member | null, password = NEW) => call(world, as, 'PUT', '/auth/password', { password })
const validUntil = async (as: Member) =>
  (await call(world, as, 'GET', '/auth/validation')).json().valid_until as string | null
const inNewSession = async ({ email, ...member }: Member): Promise<Member> => {
  const { token } = (await call(world, null, 'POST', '/auth/sign-in', { email, password: PASSWORD })).json<{
    token: string
  }>()
  return { ...member, email, token, auth: { authorization: `Bearer ${token}` } }
}

test('a right password validates this session only, for ten minutes', async () => {
  const member = await signUp(world)
  const other = await inNewSession(member)
  expect(await validUntil(member)).toBeNull()
  const now = world.clock.now
  const until = new Date(now + VALIDATION_MS).toISOString()
  expect((await validate(member)).json()).toEqual({ valid_until: until })
  expect(await validUntil(member)).toBe(until)
  expect(await validUntil(other)).toBeNull()
  world.clock.now = now + VALIDATION_MS
  expect(await validUntil(member)).toBeNull()
  world.clock.now = now
})

test('a wrong password is reported at its field and validates nothing, and the session continues', async () => {
  const member = await signUp(world)
  const wrong = { code: 'invalid', fields: { password: 'wrong_password' } }
  expect(statusAndError(await validate(member, 'todoke-9999'))).toEqual([422, wrong])
  expect(await validUntil(member)).toBeNull()
  expect((await call(world, member, 'GET', '/auth/session')).statusCode).toBe(200)
})

test('tries of the password are limited over all sessions of a member', async () => {
  const member = await signUp(world)
  const other = await inNewSession(member)
  const codes: string[] = []
  for (let i = 0; i < 7; i++)
    codes.push(errorOf(await validate(i % 2 === 0 ? member : other, `wrong-${i}`)).code)
  expect(codes).toEqual([...Array<string>(6).fill('invalid'), 'rate_limited'])
})

test('a visitor can neither validate nor change a password', async () => {
  for (const reply of [await validate(null), await change(null)])
    expect(statusAndError(reply)).toEqual([401, { code: 'unauthenticated' }])
})

test('a change requires a validation within the last ten minutes', async () => {
  const member = await signUp(world)
  expect(statusAndError(await change(member))).toEqual([403, { code: 'validation_required' }])
  await validate(member)
  const now = world.clock.now
  world.clock.now += VALIDATION_MS
  expect(statusAndError(await change(member))).toEqual([403, { code: 'validation_required' }])
  world.clock.now = now
  expect((await change(member)).statusCode).toBe(200)
})

test('a change ends the member’s other sessions and pending codes, and an email reports it', async () => {
  const [member, stranger] = [await signUp(world), await signUp(world)]
  const other = await inNewSession(member)
  const resetRequest = await call(world, null, 'POST', '/auth/reset', { email: member.email })
  const code = await codeIn(world, member.email)
  await validate(member)
  expect((await change(member)).json()).toEqual({ changed: true })
  const session = async (as: Member) => (await call(world, as, 'GET', '/auth/session')).statusCode
  expect([await session(member), await session(other), await session(stranger)]).toEqual([200, 401, 200])
  const { request_id } = resetRequest.json<{ request_id: string }>()
  const typed = await call(world, null, 'POST', '/auth/reset/code', { request_id, code })
  expect(errorOf(typed).code).toBe('code_wrong')
  const signIn = (password: string) =>
    call(world, null, 'POST', '/auth/sign-in', { email: member.email, password })
  expect([(await signIn(PASSWORD)).statusCode, (await signIn(NEW)).statusCode]).toEqual([401, 200])
  expect((await emailsTo(world, member.email)).map((it) => it.is)).toContain('password_changed')
})

test('the present password and one against the rule are refused at the field', async () => {
  const member = await signUp(world)
  await validate(member)
  expect(statusAndError(await change(member, PASSWORD))).toEqual([
    422,
    { code: 'invalid', fields: { password: 'unchanged' } },
  ])
  expect(statusAndError(await change(member, 'short1'))).toEqual([
    422,
    { code: 'invalid', fields: { password: 'password' } },
  ])
})
