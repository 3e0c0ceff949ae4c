// Servers behind PgBouncer, as Debian has it (1.18), in its session mode.
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { signUp } from './testing/people/members.ts'
import { type PgBouncer, pgbouncerAvailable, startPgBouncer } from './testing/postgres/pgbouncer.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { refusedStart, type Running, startServer } from './testing/process.ts'
import { publish } from './testing/published.ts'
import { openWorld, type World } from './testing/world.ts'

const LONG = 240_000
/** Connections that PgBouncer may have: those of two servers (README, `DATABASE_URL`). */
const CONNECTIONS = 40

describe.skipIf(!postgresAvailable() || !pgbouncerAvailable())('two servers behind PgBouncer', () => {
  let world: World
  let bouncer: PgBouncer
  const servers: Running[] = []
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres' })
    bouncer = await startPgBouncer(defined(world.postgres?.url), 'session', CONNECTIONS)
    for (let n = 0; n < 2; n++)
      servers.push(await startServer({ DATA_DIR: world.dataDir, DATABASE_URL: bouncer.url }))
  }, LONG)
  afterAll(async () => {
    for (const it of servers) await it.end('SIGKILL')
    await bouncer.close()
    await world.close()
  })

  const request = async (n: number, at: string, options: RequestInit = {}) => {
    const reply = await fetch((servers[n]?.origin ?? '') + at, options)
    return [reply.status, await reply.json().catch(() => undefined)] as [number, Record<string, unknown>]
  }
  const json = (body: object) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  test('read the same lists by prepared statements, also many at once', async () => {
    const author = await signUp(world)
    for (const content of ['朝', '昼', '夜']) await publish(world, author, { content })
    const headers = author.auth
    const lists = await Promise.all(
      Array.from({ length: 60 }, (_, i) => request(i % 2, '/api/feed/latest', { headers })),
    )
    expect(new Set(lists.map(([status]) => status))).toEqual(new Set([200]))
    expect(
      new Set(lists.map(([, body]) => JSON.stringify((body['posts'] as { id: string }[]).map((it) => it.id))))
        .size,
    ).toBe(1)
  })

  test('run each job once, and let a registered person be found by both', async () => {
    const person = {
      email: 'new@example.com',
      password: 'todoke-1234',
      name: '花',
      birth_date: '1990-01-01',
      terms: true,
    }
    expect((await request(1, '/api/auth/sign-up', json(person)))[0]).toBe(200)
    const emails = async () => (await readdir(path.join(world.dataDir, 'mail')).catch(() => [])).length
    await expect.poll(emails).toBe(1)
    expect((await request(0, '/api/auth/sign-up', json(person)))[0]).toBe(200)
    const waiting = `select count(*)::int as n from pgboss.job where state in ('created', 'active') and name like 'mail%'`
    await expect.poll(async () => (await world.database.executeSql(waiting)).rows).toEqual([{ n: 0 }])
  })

  test('have all their connections, and no client waits for one', async () => {
    const { used, waiting } = await bouncer.counts()
    expect([used > 2, waiting]).toEqual([true, 0])
  })

  test('end without an error, and give their connections back', async () => {
    for (const it of servers) expect(await it.end('SIGTERM')).toBe(0)
    await expect.poll(() => bouncer.counts()).toEqual({ used: 0, waiting: 0 })
  })
})

test.skipIf(!postgresAvailable() || !pgbouncerAvailable())(
  'a server does not start behind PgBouncer in its transaction mode',
  async () => {
    const world = await openWorld({ database: 'postgres' })
    const bouncer = await startPgBouncer(defined(world.postgres?.url), 'transaction', 10)
    const { code, output } = await refusedStart({ DATA_DIR: world.dataDir, DATABASE_URL: bouncer.url })
    expect([code, output]).toEqual([1, expect.stringContaining('pool_mode を session に')])
    await bouncer.close()
    await world.close()
  },
  LONG,
)
