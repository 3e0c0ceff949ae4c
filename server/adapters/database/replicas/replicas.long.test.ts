// Real replicas that are left out, and used again by themselves.
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '#server/adapters/database/database.ts'
import { postgresAvailable } from '#server/testing/postgres.ts'
import type { PostgresServer } from '#server/testing/replication/postgres-server.ts'
import { type ReplicaServer, startPrimary, startReplica } from '#server/testing/replication/replica.ts'
import { openReplica } from './replica.ts'
import { openReplicas, type Replicas } from './replicas.ts'

describe.skipIf(!postgresAvailable())('a replica', () => {
  let primary: PostgresServer
  let replica: ReplicaServer
  beforeAll(async () => {
    primary = await startPrimary()
    await primary.sql('create table written (n integer)')
    replica = await startReplica(primary)
  })
  const opened: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of opened.splice(0)) await end()
  })
  afterAll(async () => {
    await replica.remove()
    await primary.remove()
  })

  function open(urls: readonly string[], { of = primary, maxLag = 1e9, migration = 0 } = {}): Replicas {
    const pool = new pg.Pool({ connectionString: of.url })
    pool.on('error', () => undefined)
    pool.on('connect', (client) => client.on('error', () => undefined))
    const query = (config: pg.QueryConfig, values: unknown[]) => pool.query(config, values)
    const replicas = openReplicas({ urls, maxLag }, { primary: query, migration })
    opened.push(async () => {
      await replicas.close()
      await pool.end()
    })
    return replicas
  }
  const become = async (replicas: Replicas, ...standings: string[]) => {
    await expect.poll(() => replicas.figures().map((it) => it.standing)).toEqual(standings)
  }
  const count = (replicas: Replicas, from = 0n) => {
    const rows = async (db: Database['db']) =>
      ((await db.execute(sql`select count(*)::int as n from written`)) as pg.QueryResult).rows
    return replicas.read(from, rows, { by: '0' })
  }

  test('that is gone, of another cluster or of another database is left out, beside one that is used', async () => {
    const other = await startPrimary()
    onTestFinished(() => other.remove())
    await primary.sql('create database another')
    const elsewhere = replica.url.replace(/postgres$/, 'another')
    const replicas = open(['postgres://nobody@127.0.0.1:1/none', other.url, elsewhere, replica.url])
    await become(replicas, 'unreachable', 'foreign', 'foreign', 'used')
    expect((await count(replicas)).is).toBe('read')
  })

  test('with an older schema is left out', async () => {
    const replicas = open([replica.url], { migration: 1 })
    await become(replicas, 'outdated')
    expect((await count(replicas)).is).toBe('unavailable')
  })

  test('that lags too much is left out until it has caught up', async () => {
    const replicas = open([replica.url], { maxLag: 300 })
    await become(replicas, 'used')
    await replica.pause()
    await primary.sql('insert into written values (1)')
    await become(replicas, 'lagging')
    expect(replicas.figures()[0]?.lag).toBeGreaterThan(0.3)
    expect((await count(replicas)).is).toBe('unavailable')
    await replica.resume()
    await become(replicas, 'used')
    expect((await count(replicas)).is).toBe('read')
  })

  test('serves no read that needs what it has not replayed', async () => {
    const replicas = open([replica.url])
    await become(replicas, 'used')
    await expect.poll(replica.isCaughtUp).toBe(true)
    await replica.pause()
    const rows = async () => {
      const read = await count(replicas)
      return read.is === 'read' ? read.value : read.is
    }
    const before = await rows()
    await primary.sql('insert into written values (2)')
    const position = await replicas.position()
    expect([(await count(replicas, position)).is, await rows()]).toEqual(['behind', before])
    await replica.resume()
    await expect.poll(async () => (await count(replicas, position)).is).toBe('read')
  })

  test('two seconds late is used, for reads that need nothing newer', async () => {
    const late = await startReplica(primary, { delay: 2 })
    onTestFinished(() => late.remove())
    const replicas = open([late.url], { maxLag: 10_000 })
    await become(replicas, 'used')
    await primary.sql('insert into written values (4)')
    const position = await replicas.position()
    expect([(await count(replicas, position)).is, (await count(replicas)).is]).toEqual(['behind', 'read'])
    await expect.poll(async () => (await count(replicas, position)).is).toBe('read')
    await become(replicas, 'used')
  })

  test('only reads, and a statement that takes too long ends, and fails alone', async () => {
    const one = openReplica(replica.url)
    opened.push(() => one.close())
    one.standing = 'used'
    const shown = await one.read(0n, (db) =>
      db.execute(
        sql`select current_setting('default_transaction_read_only') as only, current_setting('statement_timeout') as time`,
      ),
    )
    expect(shown).toMatchObject({ is: 'read', value: { rows: [{ only: 'on', time: '2s' }] } })
    expect(await one.read(0n, (db) => db.execute(sql`select pg_sleep(60)`))).toEqual({ is: 'failed' })
    expect(one.standing).toBe('used')
    expect(await one.read(0n, (db) => db.execute(sql`insert into written values (3)`))).toEqual({
      is: 'failed',
    })
  })

  test('counts for nothing while the primary does not reply', async () => {
    const replicas = open([replica.url])
    await become(replicas, 'used')
    primary.freeze()
    await become(replicas, 'unknown')
    expect((await count(replicas)).is).toBe('unavailable')
    primary.thaw()
    await become(replicas, 'used')
  })
})

test.skipIf(!postgresAvailable())(
  'a promoted server serves no read, nor does one that still follows the former primary',
  async () => {
    const former = await startPrimary()
    const [promoted, other] = [await startReplica(former), await startReplica(former)]
    onTestFinished(async () => {
      for (const it of [other, promoted, former]) await it.remove()
    })
    const one = openReplica(promoted.url)
    const read = () => one.read(0n, (db) => db.execute(sql`select 1`))
    expect((await read()).is).toBe('read')
    await promoted.promote()
    // Its standing was not examined since.
    expect((await read()).is).toBe('behind')
    const pool = new pg.Pool({ connectionString: promoted.url })
    const replicas = openReplicas(
      { urls: [promoted.url, other.url] },
      { primary: (config, values) => pool.query(config, values), migration: 0 },
    )
    await expect.poll(() => replicas.figures().map((it) => it.standing)).toEqual(['promoted', 'diverged'])
    await Promise.all([one.close(), replicas.close()])
    await pool.end()
  },
)
