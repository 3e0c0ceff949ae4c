// Deliveries of a broadcast: once each, with several servers, killed ones, errors and a stop.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { openPostgres } from './adapters/database/database.ts'
import { assemble, type Deps } from './deps.ts'
import { deliverBroadcast } from './modules/messages/deliver-broadcast.ts'
import { resumeBroadcasts } from './modules/messages/broadcasts.ts'
import { migrationsFolder } from './store/database.ts'
import { addCrowd, broadcastsIn, planOf } from './testing/messages/broadcasts.ts'
import { identify, type Member, signUp } from './testing/people/members.ts'
import { takeJobs } from './testing/people/emails.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { startServer } from './testing/process.ts'
import { openWorld, type World } from './testing/world.ts'

const SIZE = 110

describe.skipIf(!postgresAvailable())('a broadcast on PostgreSQL', { timeout: 120_000 }, () => {
  let world: World
  let creator: Member
  let plan: string
  let crowd: readonly string[]
  const others: Deps[] = []
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres' })
  })
  afterAll(async () => {
    for (const it of others) await it.close().catch(() => undefined)
    await world.close()
  })
  const broadcasts = broadcastsIn(() => world)
  beforeEach(async () => {
    creator = await identify(world, await signUp(world))
    plan = await planOf(world, creator, [])
    crowd = await addCrowd(world, plan, SIZE)
  })

  /** A second server: its own connections, the same database. */
  async function openAnother(): Promise<Deps> {
    const database = await openPostgres(defined(world.postgres?.url), migrationsFolder)
    const { settings } = world.deps
    const deps = await assemble({ settings, database, dataDir: world.dataDir })
    others.push(deps)
    return deps
  }

  const begin = (content: string) => broadcasts.begin(creator, { content, plan_ids: [plan] })
  const stateOf = async () => (await broadcasts.listOf(creator))[0]
  const once = { messages: SIZE, people: SIZE }
  const handled = async (id: string) => {
    const { rows } = await world.database.executeSql(
      `select count(*)::int as n from broadcast_recipients where broadcast_id = $1 and state <> 'waiting'`,
      [id],
    )
    return (rows[0] as { n: number }).n
  }

  test('that three runners deliver at once reaches each person once', async () => {
    const { id } = await begin('三つの作業')
    const [first] = await takeJobs(world, 'message.broadcast')
    if (!first) throw new Error('no job')
    const runners = [world.deps, await openAnother(), await openAnother()]
    await Promise.all(runners.map((deps) => deliverBroadcast(deps, first)))
    await broadcasts.deliver()
    expect(await broadcasts.deliveredOf(id)).toEqual(once)
    expect(await stateOf()).toMatchObject({ state: 'done', recipients: SIZE, delivered: SIZE, skipped: 0 })
    // A job that runs again after the end finds nothing to do.
    await deliverBroadcast(world.deps, first)
    expect(await broadcasts.deliveredOf(id)).toEqual(once)
  })

  test('whose server is killed in the middle continues on another one, and no person gets it twice', async () => {
    const { id } = await begin('止まった配信')
    const env = { DATA_DIR: world.dataDir, DATABASE_URL: world.postgres?.url ?? '', REDIS_URL: '' }
    const killed = await startServer(env)
    await expect.poll(async () => (await handled(id)) > 10).toBeTruthy()
    expect(await killed.end('SIGKILL')).toBe('SIGKILL')
    const before = await handled(id)
    expect(before).toBeLessThan(SIZE)
    expect((await broadcasts.deliveredOf(id)).messages).toBe(before)
    // The job of the killed server counts as running; the sweep at a start enqueues its batch again.
    await resumeBroadcasts(world.deps)
    await broadcasts.deliver()
    expect(await broadcasts.deliveredOf(id)).toEqual(once)
    expect((await stateOf())?.state).toBe('done')
  })

  test('whose connections to the store are cut continues with the next try', async () => {
    const { id } = await begin('切れた接続')
    const [job] = await takeJobs(world, 'message.broadcast')
    if (!job) throw new Error('no job')
    const another = await openAnother()
    const running = deliverBroadcast(another, job).catch((error: unknown) => error)
    await expect.poll(async () => (await handled(id)) > 10).toBeTruthy()
    await world.database.executeSql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where pid <> pg_backend_pid() and datname = current_database() and state <> 'idle'`,
    )
    await running
    await resumeBroadcasts(world.deps)
    await broadcasts.deliver()
    expect(await broadcasts.deliveredOf(id)).toEqual(once)
    expect(await stateOf()).toMatchObject({ state: 'done', delivered: SIZE })
  })

  test('that is stopped while it is delivered reaches no person after the reply', async () => {
    await addCrowd(world, plan, 3 * SIZE)
    const { id } = await begin('途中で停止')
    const [job] = await takeJobs(world, 'message.broadcast')
    if (!job) throw new Error('no job')
    const running = [world.deps, await openAnother()].map((deps) => deliverBroadcast(deps, job))
    await expect.poll(async () => (await handled(id)) > 10).toBeTruthy()
    const reply = (await broadcasts.stop(creator, id)).json<{ delivered: number; state: string }>()
    expect(reply).toMatchObject({ state: 'stopped' })
    const { messages } = await broadcasts.deliveredOf(id)
    expect(reply.delivered).toBe(messages)
    expect(messages).toBeLessThan(4 * SIZE)
    await Promise.all(running)
    await broadcasts.deliver()
    expect((await broadcasts.deliveredOf(id)).messages).toBe(messages)
  })

  test('reaches all others when the delivery to one person fails, who is skipped after five tries', async () => {
    const [unlucky = ''] = crowd
    await world.database.executeSql(
      `create function refuse_member() returns trigger language plpgsql as
       $$ begin if new.user_id = '${unlucky}' then raise exception 'refused'; end if; return new; end $$`,
    )
    await world.database.executeSql(
      'create trigger refused before insert on conversation_members for each row execute function refuse_member()',
    )
    const { id } = await begin('一人だけ失敗')
    let errors = 0
    for (let jobs = await takeJobs(world, 'message.broadcast'); jobs.length > 0;) {
      for (const job of jobs) await deliverBroadcast(world.deps, job).catch(() => errors++)
      jobs = await takeJobs(world, 'message.broadcast')
    }
    expect(await broadcasts.deliveredOf(id)).toEqual({ messages: SIZE - 1, people: SIZE - 1 })
    expect(await stateOf()).toMatchObject({ state: 'done', delivered: SIZE - 1, skipped: 1 })
    expect(errors).toBeGreaterThan(0)
    await world.database.executeSql('drop trigger refused on conversation_members')
  })
})
