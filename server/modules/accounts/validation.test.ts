// The password proven again, and changed.
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

const said = (reply: Reply) => [reply.statusCode, errorOf(reply)]
const validate = (as: Member | null, password = PASSWORD) =>
  call(world, as, 'POST', '/auth/validation', { password })
const change = (as: Member | null, password = NEW) => call(world, as, 'PUT', '/auth/password', { password })
const validUntil = async (as: Member) =>
  (await call(world, as, 'GET', '/auth/validation')).json().valid_until as string | null
const elsewhere = async ({ email, ...member }: Member): Promise<Member> => {
  const { token } = (await call(world, null, 'POST', '/auth/sign-in', { email, password: PASSWORD })).json<{
    token: string
  }>()
  return { ...member, email, token, auth: { authorization: `Bearer ${token}` } }
}

test('a right password counts for ten minutes, in this session alone', async () => {
  const member = await signUp(world)
  const other = await elsewhere(member)
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

test('a wrong password is said at its field, proves nothing, and the session stays', async () => {
  const member = await signUp(world)
  const wrong = { code: 'invalid', fields: { password: 'wrong_password' } }
  expect(said(await validate(member, 'todoke-9999'))).toEqual([422, wrong])
  expect(await validUntil(member)).toBeNull()
  expect((await call(world, member, 'GET', '/auth/session')).statusCode).toBe(200)
})

test('passwords are not tried for ever, from however many sessions', async () => {
  const member = await signUp(world)
  const other = await elsewhere(member)
  const codes: string[] = []
  for (let i = 0; i < 7; i++)
    codes.push(errorOf(await validate(i % 2 === 0 ? member : other, `wrong-${i}`)).code)
  expect(codes).toEqual([...Array<string>(6).fill('invalid'), 'rate_limited'])
})

test('a visitor proves and changes nothing', async () => {
  for (const reply of [await validate(null), await change(null)])
    expect(said(reply)).toEqual([401, { code: 'unauthenticated' }])
})

test('a change wants the password proven first, and lately', async () => {
  const member = await signUp(world)
  expect(said(await change(member))).toEqual([403, { code: 'validation_required' }])
  await validate(member)
  const now = world.clock.now
  world.clock.now += VALIDATION_MS
  expect(said(await change(member))).toEqual([403, { code: 'validation_required' }])
  world.clock.now = now
  expect((await change(member)).statusCode).toBe(200)
})

test('a change ends the person’s other sessions and waiting codes, keeps this one and everybody else’s, and is told by email', async () => {
  const [member, stranger] = [await signUp(world), await signUp(world)]
  const other = await elsewhere(member)
  const asked = await call(world, null, 'POST', '/auth/reset', { email: member.email })
  const code = await codeIn(world, member.email)
  await validate(member)
  expect((await change(member)).json()).toEqual({ changed: true })
  const session = async (as: Member) => (await call(world, as, 'GET', '/auth/session')).statusCode
  expect([await session(member), await session(other), await session(stranger)]).toEqual([200, 401, 200])
  const { request_id } = asked.json<{ request_id: string }>()
  const typed = await call(world, null, 'POST', '/auth/reset/code', { request_id, code })
  expect(errorOf(typed).code).toBe('code_wrong')
  const signIn = (password: string) =>
    call(world, null, 'POST', '/auth/sign-in', { email: member.email, password })
  expect([(await signIn(PASSWORD)).statusCode, (await signIn(NEW)).statusCode]).toEqual([401, 200])
  expect((await emailsTo(world, member.email)).map((it) => it.is)).toContain('password_changed')
})

test('the same password again, and one against the rule, are refused at the field', async () => {
  const member = await signUp(world)
  await validate(member)
  expect(said(await change(member, PASSWORD))).toEqual([
    422,
    { code: 'invalid', fields: { password: 'unchanged' } },
  ])
  expect(said(await change(member, 'short1'))).toEqual([
    422,
    { code: 'invalid', fields: { password: 'password' } },
  ])
})
