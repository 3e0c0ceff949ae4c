// The hourly sweep of sessions and remembered devices.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SESSION_MS } from '#server/store/accounts/sessions.ts'
import { isRemembered, rememberDevice } from '#server/store/accounts/remembered-devices.ts'
import { call, signInAgain, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { sweepSessions } from './expiry.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('a remembered device stays for a year after its last sign-in, and no longer', async () => {
  const { deps, clock } = world
  const member = await signUp(world)
  const [early, late] = [randomUUID(), randomUUID()]
  await rememberDevice(deps.db, member.id, early, clock.now)
  await rememberDevice(deps.db, member.id, late, clock.now + 1000)
  const remembered = () => Promise.all([early, late].map((id) => isRemembered(deps.db, member.email, id)))
  await sweepSessions(deps)
  expect(await remembered()).toEqual([true, true])
  clock.now += SESSION_MS
  await sweepSessions(deps)
  expect(await remembered()).toEqual([true, true])
  clock.now += 1
  await sweepSessions(deps)
  expect(await remembered()).toEqual([false, true])
})

test('sessions that have not expired stay', async () => {
  const member = await signUp(world)
  const otherSession = await signInAgain(world, member)
  world.clock.now += SESSION_MS / 2
  await sweepSessions(world.deps)
  expect((await call(world, member, 'GET', '/auth/session')).statusCode).toBe(200)
  expect((await call(world, otherSession, 'GET', '/auth/session')).statusCode).toBe(200)
})
