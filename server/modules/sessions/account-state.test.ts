// The state of an account, which is answered without a session.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { call, errorOf, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const stateOf = async (id: string) => (await call(world, null, 'GET', `/auth/accounts/${id}`)).json()

test('a suspended and a leaving account are open like any other', async () => {
  const [usual, suspended, leaving] = [await signUp(world), await signUp(world), await signUp(world)]
  await world.database.executeSql('update users set suspended_at = now() where id = $1', [suspended.id])
  await leave(world, leaving)
  for (const { id } of [usual, suspended, leaving]) expect(await stateOf(id)).toEqual({ state: 'open' })
})

test('a deleted and an unknown account are closed', async () => {
  const deleted = await signUp(world)
  await world.database.executeSql('update users set deleted_at = now() where id = $1', [deleted.id])
  for (const id of [deleted.id, newId()]) expect(await stateOf(id)).toEqual({ state: 'closed' })
})

test('a value that is not an id is refused', async () => {
  const reply = await call(world, null, 'GET', '/auth/accounts/1')
  expect([reply.statusCode, errorOf(reply).code]).toEqual([422, 'invalid'])
})
