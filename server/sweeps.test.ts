// The sweeps of a cluster: each runs once when it is due, in one process.
import { rmdir } from 'node:fs/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { openPostgres } from './adapters/database/database.ts'
import { assemble, type Deps } from './deps.ts'
import { migrationsFolder } from './store/database.ts'
import { scheduleSweeps, sweepNames } from './sweeps.ts'
import { databases, type DatabaseKind, openWorld, storedAt, type World } from './testing/world.ts'
import { startWorker } from './worker.ts'

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

async function openOne(kind: DatabaseKind): Promise<World> {
  const world = await openWorld({ database: kind, parts: { scheduleCheckSeconds: 1 } })
  opened.push(() => world.close())
  return world
}

/** A second process on the same database and folder, with its own job workers. */
async function openAnother(world: World): Promise<Deps> {
  const { settings } = world.deps
  const isShared = world.postgres !== undefined
  const database = isShared ? await openPostgres(world.postgres.url, migrationsFolder) : world.database
  const { dataDir } = world
  const deps = await assemble({ settings, database, dataDir, scheduleCheckSeconds: 1 })
  opened.push(() => (isShared ? deps.close() : deps.jobs.stop()))
  return deps
}

/** The minute that is due in `ms`, as cron. */
const dueIn = (ms: number) => `${new Date(Date.now() + ms).getUTCMinutes()} * * * *`
const inHalfAnHour = () => dueIn(30 * 60_000)

async function runsOf({ database }: World): Promise<{ done: Record<string, number>; open: number }> {
  const { rows } = await database.executeSql(
    "select singleton_key as name, state::text as state from pgboss.job where name = 'sweep'",
  )
  const all = rows as { name: string; state: string }[]
  const done = Object.fromEntries(sweepNames.map((name) => [name, 0]))
  for (const { name, state } of all) if (state === 'completed') done[name] = (done[name] ?? 0) + 1
  return { done, open: all.filter((it) => it.state !== 'completed').length }
}

const fail = (error: unknown): never => {
  throw error
}

/** Waits for so many further checks of due jobs by any process. */
async function waitForChecks({ database }: World, times: number): Promise<void> {
  const lastCheck = async () =>
    JSON.stringify((await database.executeSql('select cron_on from pgboss.version')).rows)
  for (let i = 0; i < times; i++) {
    const before = await lastCheck()
    await expect.poll(async () => (await lastCheck()) !== before).toBeTruthy()
  }
}

for (const { kind, available } of databases)
  describe.skipIf(!available)(`on ${kind}`, () => {
    test('two workers on one database run each sweep once when it is due', async () => {
      const world = await openOne(kind)
      const other = await openAnother(world)
      await startWorker(world.deps, fail, inHalfAnHour())
      await startWorker(other, fail, inHalfAnHour())
      const allDone = async () => {
        const { done, open } = await runsOf(world)
        return open === 0 && sweepNames.every((name) => (done[name] ?? 0) > 0)
      }
      await expect.poll(allDone).toBeTruthy()
      const { done: before } = await runsOf(world)
      // At least 15 s before the next minute, for the check of the schedule.
      await world.database.executeSql('update pgboss.schedule set cron = $1', [dueIn(15_000)])
      const once = Object.fromEntries(sweepNames.map((name) => [name, (before[name] ?? 0) + 1]))
      await expect
        .poll(async () => {
          const { done } = await runsOf(world)
          return sweepNames.every((name) => (done[name] ?? 0) >= (once[name] ?? 0))
        })
        .toBeTruthy()
      await waitForChecks(world, 3)
      expect(await runsOf(world)).toEqual({ done: once, open: 0 })
    }, 150_000)

    test('processes that start together enqueue each sweep once', async () => {
      const world = await openOne(kind)
      const other = await openAnother(world)
      const all = new Map(sweepNames.map((name) => [name, { name }]))
      await Promise.all([world.deps, other].map(({ jobs }) => jobs.repeat('sweep', inHalfAnHour(), all)))
      expect((await runsOf(world)).open).toBe(sweepNames.length)
    })
  })

test('a failing sweep is reported, and the others run', async () => {
  const world = await openOne('pglite')
  const errors: unknown[] = []
  await rmdir(storedAt(world, 'exports'))
  await scheduleSweeps(world.deps, (error) => void errors.push(error), inHalfAnHour())
  await expect.poll(async () => (await runsOf(world)).open === 1 && errors.length === 1).toBeTruthy()
  const { done } = await runsOf(world)
  expect(errors).toEqual([expect.objectContaining({ code: 'ENOENT' })])
  expect(Object.entries(done).filter(([, runs]) => runs !== 1)).toEqual([['exports', 0]])
}, 90_000)

test('a sweep of another version is not repeated', async () => {
  const world = await openOne('pglite')
  const { jobs } = world.deps
  await jobs.repeat('sweep', inHalfAnHour(), new Map([['former', { name: 'former' }]]))
  await jobs.repeat('sweep', inHalfAnHour(), new Map([['uploads', { name: 'uploads' }]]))
  const { rows } = await world.database.executeSql('select key, cron, timezone from pgboss.schedule')
  expect(rows).toEqual([{ key: 'uploads', cron: expect.stringMatching(/^\d+ \* /), timezone: 'UTC' }])
})
