// A damaged page of the embedded database: the request fails, and health is not ok.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Check } from '#contract/administration/machine.ts'
import { admin, identify } from '#server/testing/people/identity.ts'
import { call, errorOf, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ database: 'pglite' })
})
afterAll(() => world.close())

test('a damaged page fails the request and health, and leaves the server ready for others', async () => {
  const by = await admin(world)
  await identify(world, by)
  const reader = await signUp(world)
  expect((await call(world, null, 'GET', '/health')).json()).toMatchObject({ status: 'ok', database: 'ok' })
  await world.database.executeSql(
    `create function read_damaged() returns trigger language plpgsql as $$
     begin raise exception 'invalid page in block 0 of relation "base/5/1"' using errcode = 'data_corrupted'; end $$;
     create trigger damaged before insert on follows execute function read_damaged()`,
  )
  const reply = await call(world, reader, 'PUT', `/follows/${by.id}`)
  expect([reply.statusCode, errorOf(reply).code]).toEqual([500, 'internal'])
  const health = await call(world, null, 'GET', '/health')
  expect([health.statusCode, health.json()]).toMatchObject([503, { status: 'failing', database: 'failing' }])
  expect((await call(world, null, 'GET', '/health/ready')).statusCode).toBe(200)
  const { checks } = (await call(world, by, 'GET', '/admin/machine')).json<{ checks: Check[] }>()
  expect(checks.find((it) => it.name === 'database')).toMatchObject({
    state: 'failing',
    reason: 'damaged',
    detail: 'invalid page in block 0 of relation "base/5/1"',
  })
})
