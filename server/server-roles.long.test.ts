// Processes with a role: one that answers requests, and one that runs jobs.
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { postgresAvailable } from './testing/postgres.ts'
import { isInstalled } from './testing/programs.ts'
import { type Running, startServer } from './testing/process.ts'
import { type RedisServer, redisAvailable, startRedis } from './testing/redis.ts'
import { openWorld, type World } from './testing/world.ts'

const TOKEN = 't'.repeat(32)
const LONG = 240_000

describe.skipIf(!postgresAvailable() || !redisAvailable())('a web process and a worker process', () => {
  let world: World
  let redis: RedisServer
  const servers: Running[] = []
  beforeEach(async () => {
    world = await openWorld({ database: 'postgres' })
    redis = await startRedis()
  }, LONG)
  afterEach(async () => {
    for (const it of servers.splice(0)) await it.end('SIGKILL')
    await redis.discard()
    await world.close()
  })

  async function start(role: 'web' | 'worker'): Promise<Running> {
    const server = await startServer({
      ROLE: role,
      DATA_DIR: world.dataDir,
      DATABASE_URL: world.postgres?.url ?? '',
      REDIS_URL: redis.url,
      METRICS_TOKEN: TOKEN,
    })
    servers.push(server)
    return server
  }

  const rowsOf = async <T>(sql: string) => (await world.database.executeSql(sql)).rows as T[]
  const isSwept = async () => (await rowsOf('select 1 from pgboss.schedule')).length > 0
  const emails = async () => (await readdir(path.join(world.dataDir, 'mail')).catch(() => [])).length

  /** Registers a person, whose email two jobs choose and send. */
  const register = (origin: string) =>
    fetch(`${origin}/api/auth/sign-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: 'new@example.com',
        password: 'todoke-1234',
        name: '花',
        birth_date: '1990-01-01',
        terms: true,
      }),
    })

  test(
    'the first enqueues what the second does, and takes no job itself',
    async () => {
      const web = await start('web')
      expect((await register(web.origin)).status).toBe(200)
      expect(await isSwept()).toBe(false)
      // The start of the worker takes longer than a process with workers waits for a job.
      const [{ now } = { now: '' }] = await rowsOf<{ now: string }>('select now()::text as now')
      await start('worker')
      await expect.poll(emails).toBe(1)
      expect(await isSwept()).toBe(true)
      const early = `select name from pgboss.job where started_on < '${now}'::timestamptz`
      expect(await rowsOf(early)).toEqual([])
      expect(web.output()).not.toContain('ワーカー')
    },
    LONG,
  )

  test(
    'the health of the first is that of the sandbox of the second, and unknown without it',
    async () => {
      const { origin } = await start('web')
      const sandbox = async () =>
        ((await (await fetch(`${origin}/api/health`)).json()) as { media_sandbox: string }).media_sandbox
      expect(await sandbox()).toBe('unknown')
      const worker = await start('worker')
      // It has reported before it is ready; a state is read at most once a second.
      await expect.poll(sandbox).toBe(isInstalled('bwrap') ? 'bubblewrap' : 'none')
      expect(await worker.end('SIGTERM')).toBe(0)
      await expect.poll(sandbox).toBe('unknown')
    },
    LONG,
  )

  test(
    'the second answers probes and metrics, and 404 to everything of the app',
    async () => {
      const { origin, end } = await start('worker')
      const statusOf = async (at: string, headers = {}) => (await fetch(origin + at, { headers })).status
      for (const it of ['/', '/posts', '/api/health', '/api/posts', '/ws/app/key', '/upload-chunking-2/x'])
        expect([it, await statusOf(it)]).toEqual([it, 404])
      expect((await register(origin)).status).toBe(404)
      expect(await statusOf('/api/health/live')).toBe(200)
      expect(await statusOf('/api/health/ready')).toBe(200)
      expect(await statusOf('/metrics', { authorization: `Bearer ${TOKEN}` })).toBe(200)
      expect(await end('SIGTERM')).toBe(0)
    },
    LONG,
  )
})
