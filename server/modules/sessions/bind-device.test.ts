// Sessions from before device cookies: bound once, to the browser that shows the cookie it was given.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { deviceCookieOf } from '#server/services/auth/device-cookie.ts'
import { isRemembered } from '#server/store/accounts/remembered-devices.ts'
import { cookieOf } from '#server/testing/people/device.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let member: Member
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  member = await signUp(world)
})

const getSession = (headers: Record<string, string> = {}) =>
  call(world, member, 'GET', '/auth/session', undefined, headers)
const cookieOfDevice = (id: string) => ({
  cookie: `todoke_device=${encodeURIComponent(deviceCookieOf(world.deps.secrets, id))}`,
})
const remembers = (id: string) => isRemembered(world.deps.db, member.email, id)

async function boundTo(): Promise<unknown[]> {
  const { rows } = await world.database.executeSql(
    `select device_id from sessions where user_id = '${member.id}'`,
  )
  return rows.map((row) => Object.values(row as object)[0])
}

test('a browser without a cookie is given one, the same in two tabs, and nothing is bound to it yet', async () => {
  const [one, two] = await Promise.all([getSession(), getSession()])
  expect(cookieOf(one).cookie).toMatch(/^todoke_device=[^;]{40,}/)
  expect(cookieOf(two)).toEqual(cookieOf(one))
  expect(await boundTo()).toEqual([null])
})

test('the browser that shows its cookie is bound and remembered, and given no other cookie', async () => {
  const id = newId()
  const reply = await getSession(cookieOfDevice(id))
  expect([reply.statusCode, cookieOf(reply).cookie]).toEqual([200, ''])
  expect(await boundTo()).toEqual([id])
  expect(await remembers(id)).toBe(true)
})

test('a copied token in another browser changes no binding, and its browser is not remembered', async () => {
  const [own, other] = [newId(), newId()]
  await getSession(cookieOfDevice(own))
  await getSession(cookieOfDevice(other))
  expect(await boundTo()).toEqual([own])
  expect(await remembers(other)).toBe(false)
})

test('a copied token in a program without a cookie is given none that the session is bound to', async () => {
  await getSession(cookieOfDevice(newId()))
  expect(cookieOf(await getSession()).cookie).toBe('')
})
