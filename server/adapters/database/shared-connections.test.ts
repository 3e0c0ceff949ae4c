// Prepared reads over shared connections: each gets its own rows, and failures are separate.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { postgresAvailable } from '#server/testing/postgres.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { isPreparedRead, openSharedConnections, type SharedConnections } from './shared-connections.ts'

const MAX_CONNECTIONS = 2

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (how: { type: 'minor' | 'major' }) => void
/** Bytes of the objects that have survived garbage collections. */
const old = () =>
  getHeapSpaceStatistics().find((it) => it.space_name === 'old_space')?.space_used_size ?? Number.NaN

describe('a statement on a shared connection', () => {
  test('is prepared and only reads', () => {
    expect(isPreparedRead({ name: 'a', text: 'select 1' })).toBe(true)
    expect(isPreparedRead({ name: 'a', text: '\n  SELECT 1' })).toBe(true)
    expect(isPreparedRead({ text: 'select 1' })).toBe(false)
    expect(isPreparedRead({ name: 'a', text: 'update users set name = name' })).toBe(false)
    expect(isPreparedRead({ name: 'a', text: 'with deleted as (delete from users) select 1' })).toBe(false)
    expect(isPreparedRead('select 1')).toBe(false)
  })
})

describe.skipIf(!postgresAvailable())('on PostgreSQL', () => {
  let world: World
  let shared: SharedConnections
  beforeAll(async () => {
    world = await openWorld({ database: 'postgres' })
  })
  afterAll(() => world.close())
  beforeEach(() => {
    const url = new URL(defined(world.postgres?.url))
    url.searchParams.set('application_name', 'shared')
    shared = openSharedConnections(url.href, { maxConnections: MAX_CONNECTIONS })
  })
  afterEach(() => shared.close())

  const twice = { name: 'twice', text: 'select 2 * $1::int as n, pg_backend_pid() as pid' }
  const doubled = async (n: number) => (await shared.query(twice, [n])).rows[0] as { n: number; pid: number }
  const divided = (n: number) => shared.query({ name: 'by', text: 'select 1 / $1::int as n' }, [n])
  const lots = Array.from({ length: 40 }, (_, n) => n)
  const connections = async () => {
    const { rows } = await world.database.executeSql(
      `select count(*)::int as n from pg_stat_activity where application_name = 'shared' and datname = current_database()`,
    )
    return (rows[0] as { n: number }).n
  }

  test('concurrent statements each get their own rows, on at most the permitted connections', async () => {
    const rows = await Promise.all(lots.map(doubled))
    expect(rows.map((it) => it.n)).toEqual(lots.map((n) => 2 * n))
    expect(new Set(rows.map((it) => it.pid)).size).toBe(MAX_CONNECTIONS)
    expect(await connections()).toBe(MAX_CONNECTIONS)
  })

  test('consecutive statements use one connection', async () => {
    for (const n of lots) expect((await doubled(n)).n).toBe(2 * n)
    expect(await connections()).toBe(1)
  })

  test('a failed statement does not affect concurrent ones', async () => {
    const results = await Promise.allSettled(lots.map((n) => (n % 5 === 0 ? divided(0) : doubled(n))))
    const expected = lots.map((n) => (n % 5 === 0 ? '22012' : 2 * n))
    expect(
      results.map((it) => (it.status === 'fulfilled' ? (it.value as { n: number }).n : it.reason.code)),
    ).toEqual(expected)
    expect((await divided(1)).rows).toEqual([{ n: 1 }])
  })

  test('when a connection breaks, its statements are rejected and later ones use another', async () => {
    const { pid } = await doubled(1)
    const asleep = shared.query({ name: 'asleep', text: 'select pg_sleep(60)' }, [])
    const elsewhere = doubled(2)
    const behind = doubled(3)
    const ended = Promise.allSettled([asleep, behind])
    const end = async () =>
      (await world.database.executeSql('select pg_terminate_backend($1)', [String(pid)])).rows.length
    await expect.poll(end).toBe(1)
    const refused = { status: 'rejected', reason: expect.any(Error) }
    expect(await ended).toEqual([refused, refused])
    expect((await elsewhere).n).toBe(4)
    const after = await Promise.all(lots.map(doubled))
    expect(after.map((it) => it.n)).toEqual(lots.map((n) => 2 * n))
    expect(after.map((it) => it.pid)).not.toContain(pid)
  })

  test('a result is freed by a young-generation collection', async () => {
    const text = `select n, repeat('a', 200) as words from generate_series(1, 40) n`
    const read = () => shared.query({ name: 'rows', text }, [])
    for (const _ of lots) await read()
    collect({ type: 'major' })
    const before = old()
    for (let n = 0; n < 500; n++) {
      await read()
      if (n % 20 === 0) collect({ type: 'minor' })
    }
    expect(old() - before).toBeLessThan(1_000_000)
  })

  test('each statement to an unreachable database is rejected', async () => {
    const unreachable = openSharedConnections('postgresql://unknown@127.0.0.1:1/nothing', {
      maxConnections: MAX_CONNECTIONS,
    })
    const results = await Promise.allSettled(lots.map((n) => unreachable.query(twice, [n])))
    expect(results.map((it) => it.status === 'rejected' && it.reason.code)).toEqual(
      lots.map(() => 'ECONNREFUSED'),
    )
    await expect(unreachable.query(twice, [1])).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await unreachable.close()
  })

  test('closed connections finish sent statements and refuse later ones', async () => {
    const sent = Promise.all(lots.map(doubled))
    await shared.close()
    expect((await sent).map((it) => it.n)).toEqual(lots.map((n) => 2 * n))
    await expect(doubled(1)).rejects.toThrow('closed')
  })
})
