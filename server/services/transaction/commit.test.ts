// What follows a transaction follows its commit.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { personChannel, type LiveMessage } from '#contract/realtime/channels.ts'
import { committer } from './commit.ts'
import { heardRealtime } from '#server/adapters/realtime/realtime.ts'
import type { JobName } from '#server/store/jobs.ts'
import { signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const telling = (): LiveMessage => ({
  channel: personChannel(newId()),
  event: 'notifications.changed',
  data: { unread: 1 },
})

test('what was to be said and woken is, once the transaction has committed', async () => {
  const { said, ...realtime } = heardRealtime()
  const woken: JobName[] = []
  const commit = committer(world.deps.db, { wake: (name) => void woken.push(name) }, realtime)
  const message = telling()
  const during = await commit(async (_, after) => {
    after.say(message)
    after.wake('letter.send')
    after.wake('letter.send')
    return [...said, ...woken]
  })
  expect([during, said, woken]).toEqual([[], [message], ['letter.send']])
})

test('of a transaction that fails nothing is written, said or woken', async () => {
  const { said, ...realtime } = heardRealtime()
  const woken: JobName[] = []
  const commit = committer(world.deps.db, { wake: (name) => void woken.push(name) }, realtime)
  const member = await signUp(world)
  const failing = commit(async (tx, after) => {
    await tx.execute("update users set name = 'changed'")
    after.say(telling())
    after.wake('letter.send')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const { rows } = await world.database.executeSql('select name from users where id = $1', [member.id])
  expect([said, woken, rows]).toEqual([[], [], [{ name: expect.stringContaining('会員') }]])
})
