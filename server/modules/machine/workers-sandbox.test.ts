// The sandbox of the workers, as a server that makes no media shows it.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { Check } from '#contract/administration/machine.ts'
import { finderOf, type SandboxState } from '#server/testing/media/sandboxes.ts'
import { admin, identify } from '#server/testing/people/identity.ts'
import { call } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { publishFigures } from './figures.ts'
import { findMediaSandbox } from '#server/services/media/sandbox-state.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ parts: { makesMedia: false, refusesUnconfined: true } })
})
afterAll(() => world.close())
afterEach(() => world.database.executeSql('delete from server_reports'))

/** Publishes the figures of a worker in this state, or of a server that makes no media. */
async function report(state: SandboxState | null): Promise<void> {
  const finder = state === null ? undefined : finderOf([state])
  await finder?.find()
  const meters = { ...world.deps.meters, id: newId() }
  await publishFigures({ ...world.deps, meters, mediaSandbox: finder })
}

const table: [string, (SandboxState | null)[], SandboxState][] = [
  ['no worker has reported', [], 'unknown'],
  ['only servers that make no media have', [null], 'unknown'],
  ['all workers have a sandbox', ['bubblewrap', 'bubblewrap', null], 'bubblewrap'],
  ['one of them has not found out', ['bubblewrap', 'unknown'], 'unknown'],
  ['one of them has none', ['unknown', 'none', 'bubblewrap'], 'none'],
]
test.each(table)('where %s, the worst of their states counts', async (_, reported, state) => {
  for (const it of reported) await report(it)
  expect((await findMediaSandbox(world.deps)).state).toBe(state)
})

test('a worker that is gone, or of a version that reports none, does not count', async () => {
  await report('none')
  await world.database.executeSql("update server_reports set measured_at = now() - interval '2 minutes'")
  await report('bubblewrap')
  await world.database.executeSql("insert into server_reports values ($1, now(), '{}')", [newId()])
  expect((await findMediaSandbox(world.deps)).state).toBe('bubblewrap')
  await world.database.executeSql("update server_reports set measured_at = now() - interval '2 minutes'")
  expect((await findMediaSandbox(world.deps)).state).toBe('unknown')
})

test('health and the machine page of such a server show it', async () => {
  await report('none')
  const health = (await call(world, null, 'GET', '/health')).json()
  expect(health).toMatchObject({ status: 'ok', media_sandbox: 'none' })
  const by = await admin(world)
  await identify(world, by)
  const page = (await call(world, by, 'GET', '/admin/machine')).json()
  const check = (page.checks as Check[]).find((it) => it.name === 'sandbox')
  expect(check).toMatchObject({ state: 'failing', reason: 'no_sandbox' })
  expect(page.servers.map((it: { media_sandbox: string | null }) => it.media_sandbox)).toEqual([null, 'none'])
})
