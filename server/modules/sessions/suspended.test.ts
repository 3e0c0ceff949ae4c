// A suspended account: its sessions are refused, and replies to others do not reveal it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { API_BASE } from '#contract/paths.ts'
import { call, errorOf, type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let member: Member
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const setSuspended = (at: string | null) =>
  world.database.executeSql('update users set suspended_at = $2 where id = $1', [member.id, at])

beforeEach(async () => {
  member = await signUp(world)
  await setSuspended(new Date(world.clock.now).toISOString())
})

const signIn = (password: string) =>
  call(world, null, 'POST', '/auth/sign-in', { email: member.email, password })

test.each([
  ['GET', '/auth/session', undefined],
  ['GET', '/settings/privacy', undefined],
  ['POST', '/user/deletion', { reason: 'other' }],
  ['POST', '/auth/sign-out', undefined],
] as const)('an open session is refused as suspended: %s %s', async (method, path, body) => {
  const reply = await call(world, member, method, path, body)
  expect([reply.statusCode, errorOf(reply).code]).toEqual([403, 'suspended'])
})

test('the cookie is refused like the header', async () => {
  const cookie = `todoke_token=${encodeURIComponent(`Bearer ${member.token}`)}`
  const reply = await world.app.inject({ url: `${API_BASE}/auth/session`, headers: { cookie } })
  expect([reply.statusCode, errorOf(reply).code]).toEqual([403, 'suspended'])
})

test('the list of posts is refused', async () => {
  const reply = await call(world, member, 'GET', '/posts')
  expect([reply.statusCode, errorOf(reply).code]).toEqual([403, 'suspended'])
})

test('a sign-in with the right password is refused and opens no session', async () => {
  const sessions = async () =>
    (await world.database.executeSql('select id from sessions where user_id = $1', [member.id])).rows.length
  const before = await sessions()
  const reply = await signIn(PASSWORD)
  expect([reply.statusCode, errorOf(reply).code]).toEqual([403, 'suspended'])
  expect(await sessions()).toBe(before)
})

test('a wrong password gets the same reply as an unknown address', async () => {
  const unknown = await call(world, null, 'POST', '/auth/sign-in', {
    email: 'no@example.com',
    password: 'todoke-9999',
  })
  const wrong = await signIn('todoke-9999')
  expect([wrong.statusCode, wrong.body]).toEqual([401, unknown.body])
})

test('other members do not find the account', async () => {
  const reply = await call(world, await signUp(world), 'GET', `/users/${member.id}`)
  expect([reply.statusCode, errorOf(reply).code]).toEqual([404, 'not_found'])
})

test('the session continues after the suspension ends', async () => {
  await setSuspended(null)
  expect((await call(world, member, 'GET', '/auth/session')).statusCode).toBe(200)
  expect((await signIn(PASSWORD)).statusCode).toBe(200)
})
