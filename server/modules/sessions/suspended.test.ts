// A suspended account: its sessions end, and the replies to others do not reveal it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { API_BASE } from '#contract/paths.ts'
import { call, errorOf, type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let shut: Member
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const setSuspended = (at: string | null) =>
  world.database.executeSql('update users set suspended_at = $2 where id = $1', [shut.id, at])

beforeEach(async () => {
  shut = await signUp(world)
  await setSuspended(new Date(world.clock.now).toISOString())
})

const signIn = (password: string) =>
  call(world, null, 'POST', '/auth/sign-in', { email: shut.email, password })

test.each([
  ['GET', '/auth/session', undefined],
  ['GET', '/settings/privacy', undefined],
  ['POST', '/user/deletion', { reason: 'other' }],
  ['POST', '/auth/sign-out', undefined],
] as const)('a session of before is refused by its own code: %s %s', async (method, path, body) => {
  const reply = await call(world, shut, method, path, body)
  expect([reply.statusCode, errorOf(reply).code]).toEqual([403, 'suspended'])
})

test('the cookie is refused as the header is', async () => {
  const cookie = `todoke_token=${encodeURIComponent(`Bearer ${shut.token}`)}`
  const reply = await world.app.inject({ url: `${API_BASE}/auth/session`, headers: { cookie } })
  expect([reply.statusCode, errorOf(reply).code]).toEqual([403, 'suspended'])
})

test('posts are not listed for it', async () => {
  const reply = await call(world, shut, 'GET', '/posts')
  expect([reply.statusCode, errorOf(reply).code]).toEqual([403, 'suspended'])
})

test('signing in is refused once the password is right, and no session comes of it', async () => {
  const sessions = async () =>
    (await world.database.executeSql('select id from sessions where user_id = $1', [shut.id])).rows.length
  const before = await sessions()
  const reply = await signIn(PASSWORD)
  expect([reply.statusCode, errorOf(reply).code]).toEqual([403, 'suspended'])
  expect(await sessions()).toBe(before)
})

test('whoever does not know the password learns nothing of it', async () => {
  const nobody = await call(world, null, 'POST', '/auth/sign-in', {
    email: 'no@example.com',
    password: 'todoke-9999',
  })
  const wrong = await signIn('todoke-9999')
  expect([wrong.statusCode, wrong.body]).toEqual([401, nobody.body])
})

test('readers find nobody there', async () => {
  const reply = await call(world, await signUp(world), 'GET', `/users/${shut.id}`)
  expect([reply.statusCode, errorOf(reply).code]).toEqual([404, 'not_found'])
})

test('an account that is opened again goes on with its session', async () => {
  await setSuspended(null)
  expect((await call(world, shut, 'GET', '/auth/session')).statusCode).toBe(200)
  expect((await signIn(PASSWORD)).statusCode).toBe(200)
})
