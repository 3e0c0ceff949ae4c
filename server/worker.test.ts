// Several workers convert a file once; after a server dies, another one converts it.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { openPostgres } from './adapters/database/database.ts'
import { assemble, type Deps } from './deps.ts'
import { migrationsFolder } from './store/database.ts'
import { findMedia, setMediaFailed } from './store/media/media.ts'
import { finderOf } from './testing/media/sandboxes.ts'
import { addPost, type Member, signUp, upload } from './testing/people/members.ts'
import { jpeg } from './testing/pictures.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { openWorld, type World } from './testing/world.ts'
import { startWorker } from './worker.ts'
import { makeMedia } from './modules/media/make.ts'

const made = { widths: [480], poster: false, blurred: true }

/** A media maker whose work ends on command, and that counts its calls. */
function slowMaker() {
  const waiting: (() => void)[] = []
  return {
    calls: 0,
    finish: () => waiting.splice(0).forEach((it) => it()),
    async make() {
      this.calls++
      await new Promise<void>((done) => waiting.push(done))
      return { is: 'made', media: { width: 1, height: 1, duration: null, animated: false, made } } as const
    },
    makeLadder: () => Promise.reject(new Error('unexpected request for smaller renditions')),
    close() {},
  }
}

async function queuePicture(world: World, creator: Member): Promise<string> {
  const id = await upload(world, creator, await jpeg(), 'a.jpg')
  await addPost(world, creator, [
    ['type', '1'],
    ['has_image_file[]', id],
  ])
  return id
}
const stateOf = async ({ db }: Deps, id: string) => {
  const row = await findMedia(db, id)
  return [row?.state, row?.attempts]
}

test('in one process, two jobs of the same file convert it once', async () => {
  const mediaMaker = slowMaker()
  const world = await openWorld({ parts: { mediaMaker } })
  const id = await queuePicture(world, await signUp(world))
  const first = makeMedia(world.deps, id)
  await expect.poll(() => mediaMaker.calls).toBe(1)
  await makeMedia(world.deps, id)
  mediaMaker.finish()
  await first
  expect([mediaMaker.calls, await stateOf(world.deps, id)]).toEqual([1, ['ready', 1]])
  await world.close()
})

test('a worker that starts with a sandbox makes what an earlier one refused for want of one', async () => {
  const mediaMaker = slowMaker()
  const world = await openWorld({ parts: { mediaMaker, mediaSandbox: finderOf(['bubblewrap']) } })
  const id = await queuePicture(world, await signUp(world))
  await setMediaFailed(world.deps.db, id, { failure: 'no_sandbox', maker: 1 })
  await world.database.executeSql('delete from pgboss.job')
  await startWorker(world.deps, (error) => console.error(error))
  await expect.poll(() => mediaMaker.calls).toBe(1)
  mediaMaker.finish()
  await expect.poll(async () => (await stateOf(world.deps, id))[0]).toBe('ready')
  await world.close()
})

describe.skipIf(!postgresAvailable())('two servers on one PostgreSQL', () => {
  let world: World
  let creator: Member
  const maker = slowMaker()
  const others: Deps[] = []
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres', parts: { mediaMaker: maker } })
    creator = await signUp(world)
  })
  afterAll(async () => {
    maker.finish()
    for (const it of others) await it.close().catch(() => undefined)
    await world.close()
  })

  /** A second server: its own connections, the same database and folder. */
  async function openAnother(): Promise<Deps> {
    const database = await openPostgres(defined(world.postgres?.url), migrationsFolder)
    const { settings } = world.deps
    const { dataDir } = world
    const deps = await assemble({ settings, database, dataDir, mediaMaker: maker })
    others.push(deps)
    return deps
  }

  test('finished turns leave no lock on the connections', async () => {
    const warnings = vi.spyOn(process, 'emitWarning')
    for (let i = 0; i < 30; i++) await world.deps.database.exclusively('x', async () => undefined)
    expect(warnings.mock.calls).toEqual([])
    warnings.mockRestore()
  })

  test('when one server dies, its lock ends with its connections, and the other converts the file', async () => {
    const id = await queuePicture(world, creator)
    const killed = await openAnother()
    const cut = makeMedia(killed, id)
    await expect.poll(() => maker.calls).toBe(1)
    // Other tests have other databases of the same cluster.
    const own = `(select oid from pg_database where datname = current_database())`
    const locks = `from pg_locks where locktype = 'advisory' and database = ${own}`
    await world.database.executeSql(`select pg_terminate_backend(pid) ${locks}`)
    const held = async () => (await world.database.executeSql(`select 1 ${locks}`)).rows.length
    await expect.poll(() => held()).toBe(0)
    const next = makeMedia(world.deps, id)
    await expect.poll(() => maker.calls).toBe(2)
    maker.finish()
    await Promise.all([next, cut])
    expect(await stateOf(world.deps, id)).toEqual(['ready', 2])
  })

  const postponedJobs = async () => {
    const soon = `name = 'media.picture' and start_after > now() + interval '2 seconds'`
    const { rows } = await world.database.executeSql(`select 1 from pgboss.job where ${soon}`)
    return rows.length
  }

  test('when a server starts while the other is converting the file, the file is converted once', async () => {
    const id = await queuePicture(world, creator)
    maker.calls = 0
    await startWorker(world.deps, (error) => console.error(error))
    await expect.poll(() => maker.calls).toBe(1)
    // A server that starts enqueues all unfinished media, including this file.
    const deps = await openAnother()
    await startWorker(deps, (error) => console.error(error))
    // The job of the post and those of both starts: one is running, the others are postponed.
    await expect.poll(() => postponedJobs()).toBe(2)
    maker.finish()
    await expect.poll(async () => (await stateOf(deps, id))[0] === 'ready').toBeTruthy()
    expect([maker.calls, await stateOf(deps, id)]).toEqual([1, ['ready', 1]])
  })
})
