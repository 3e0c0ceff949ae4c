// Binding of sessions without a device to the cookie of their browser.
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
const deviceCookie = (id: string) => ({
  cookie: `todoke_device=${encodeURIComponent(deviceCookieOf(world.deps.secrets, id))}`,
})
const isDeviceRemembered = (id: string) => isRemembered(world.deps.db, member.email, id)

async function boundDevices(): Promise<unknown[]> {
  const { rows } = await world.database.executeSql(
    `select device_id from sessions where user_id = '${member.id}'`,
  )
  return rows.map((row) => Object.values(row as object)[0])
}

test('a browser without a cookie gets one, the same in two tabs, and the session is not bound yet', async () => {
  const [one, two] = await Promise.all([getSession(), getSession()])
  expect(cookieOf(one).cookie).toMatch(/^todoke_device=[^;]{40,}/)
  expect(cookieOf(two)).toEqual(cookieOf(one))
  expect(await boundDevices()).toEqual([null])
})

test('a session is bound to the browser that sends its cookie, which is remembered and gets no other cookie', async () => {
  const id = newId()
  const reply = await getSession(deviceCookie(id))
  expect([reply.statusCode, cookieOf(reply).cookie]).toEqual([200, ''])
  expect(await boundDevices()).toEqual([id])
  expect(await isDeviceRemembered(id)).toBe(true)
})

test('a copied token in another browser does not change the binding, and that browser is not remembered', async () => {
  const [own, other] = [newId(), newId()]
  await getSession(deviceCookie(own))
  await getSession(deviceCookie(other))
  expect(await boundDevices()).toEqual([own])
  expect(await isDeviceRemembered(other)).toBe(false)
})

test('a bound session issues no cookie to a program without one', async () => {
  await getSession(deviceCookie(newId()))
  expect(cookieOf(await getSession()).cookie).toBe('')
})
