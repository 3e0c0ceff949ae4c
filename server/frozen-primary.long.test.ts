// Statements on the connections of a server that is frozen.
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDatabaseGone } from './adapters/database/connecting.ts'
import { type Database, openPostgres } from './adapters/database/database.ts'
import { migrationsFolder } from './store/database.ts'
import { users } from './store/tables/people.ts'
import { postgresAvailable } from './testing/postgres.ts'
import type { PostgresServer } from './testing/replication/postgres-server.ts'
import { startPrimary } from './testing/replication/replica.ts'
import type { Broken } from './adapters/database/primary/watch.ts'

describe.skipIf(!postgresAvailable())('a server that is frozen', () => {
  let server: PostgresServer
  let database: Database
  const broken: Broken[] = []

  beforeAll(async () => {
    server = await startPrimary()
    database = await openPostgres(server.url, migrationsFolder, {
      broken: (why) => broken.push(why),
      times: { every: 100, again: 50, limit: 200, silence: 500 },
    })
  })
  afterAll(async () => {
    server.thaw()
    const closed = database.close()
    await server.remove()
    await closed
  }, 15_000)

  const read = () => database.db.execute(sql`select 1`)
  const change = () =>
    database.db.transaction(async (tx) => void (await tx.execute(sql`select pg_advisory_xact_lock(1)`)))
  const prepared = () => database.db.select({ id: users.id }).from(users).limit(1).prepare('a_user').execute()

  test('makes each of them fail as without a database, and is reported', async () => {
    await Promise.all([read(), prepared()])
    server.freeze()
    const results = await Promise.allSettled([read(), change(), prepared(), database.ping()])
    const errors = results.map((it) => (it.status === 'rejected' ? it.reason : undefined))
    expect(errors.slice(0, 3).map(isDatabaseGone)).toEqual([true, true, true])
    expect(errors[3]).toBeInstanceOf(Error)
    expect(database.pool?.().used).toBe(0)
    expect(broken).toContain('silent')
    expect(database.breaks).toMatchObject({ moved: 0, silent: broken.length })
  })

  test('is used again once it replies', async () => {
    server.thaw()
    await expect
      .poll(() =>
        read().then(
          () => 'read',
          () => 'failed',
        ),
      )
      .toBe('read')
    await change()
    expect(broken).not.toContain('moved')
  })

  test('does not end a long statement while it replies on other connections', async () => {
    const before = broken.length
    await database.db.execute(sql`select pg_sleep(2)`)
    expect(broken).toHaveLength(before)
  })
})
