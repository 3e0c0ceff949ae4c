// Rows of accounts that were deleted by an earlier version.
import { beforeAll, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { erasureVersion } from '#server/store/personal/all.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { livePerson, type LivePerson } from '#server/testing/people/live-person.ts'
import { signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { deleteDueAccounts } from './erase.ts'
import { sweepLeftovers } from './leftovers.ts'

let world: World
let person: LivePerson
beforeAll(async () => {
  world = await openWorld()
  person = await livePerson(world)
  return () => world.close()
})

const run = async (sql: string, values: readonly unknown[] = [person.id]) =>
  (await world.database.executeSql(sql, values)).rows
const entries = () => run(`select detail from audit_log where act = 'erasure.sweep' order by seq`, [])

test('without a deleted account nothing is said', async () => {
  await sweepLeftovers(world.deps)
  expect(await entries()).toEqual([])
})

test('an account whose deletion is under way is left to it', async () => {
  await leave(world, person)
  await run('update users set deleted_at = now() where id = $1')
  await sweepLeftovers(world.deps)
  expect(await run('select bio <> $2 as kept from users where id = $1', [person.id, ''])).toEqual([
    { kept: true },
  ])
  expect(await entries()).toEqual([])
})

test('what an earlier version left of deleted accounts alone is erased, once, and the audit log says so', async () => {
  world.clock.now += LEAVING_MS
  await deleteDueAccounts(world.deps)
  const [{ deletedAt }] = (await run('select deleted_at::text as "deletedAt" from users where id = $1')) as [
    { deletedAt: string },
  ]
  const limited = `update users set limited_at = now(), bio = 'あの人' where id = $1`
  await run(limited)
  const deleted = '(select users.deleted_at from users where users.id = author_id)'
  await run(`update posts set content = 'あの人', deleted_at = ${deleted} where author_id = $1`)
  await run(`insert into user_details (user_id, legal_name, updated_at) values ($1, 'あの人', now())`)
  const other = await signUp(world)
  const stays = 'select * from users where id = $1'
  const before = await run(stays, [other.id])
  await sweepLeftovers(world.deps)
  expect(await run(stays, [other.id])).toEqual(before)
  expect(
    await run('select bio, limited_at, deleted_at::text as "deletedAt" from users where id = $1'),
  ).toEqual([{ bio: '', limited_at: null, deletedAt }])
  expect(
    await run('select distinct content, deleted_at::text as "deletedAt" from posts where author_id = $1'),
  ).toEqual([{ content: '', deletedAt }])
  expect(await run('select * from user_details where user_id = $1')).toEqual([])
  expect(await entries()).toEqual([{ detail: { version: erasureVersion, count: 1 } }])

  await run(limited)
  await sweepLeftovers(world.deps)
  expect(await entries()).toHaveLength(1)
})
