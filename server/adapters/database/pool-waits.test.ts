// Waits for a connection of a full pool are counted with their time.
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Postgres, postgresAvailable, startPostgres } from '#server/testing/postgres.ts'
import { measurePool } from './pool-waits.ts'

describe.skipIf(!postgresAvailable())('a pool of one connection', () => {
  let postgres: Postgres
  let pool: pg.Pool
  let now = 0
  let figures: ReturnType<typeof measurePool>
  beforeEach(async () => {
    postgres = await startPostgres(async () => undefined)
    pool = new pg.Pool({ connectionString: postgres.url, max: 1 })
    // Stopping the database may end a connection before the pool does.
    pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined))
    now = 0
    figures = measurePool(pool, () => now)
  })
  afterEach(async () => {
    await pool.end()
    await postgres.stop()
  })

  test('callers that find it free are not counted', async () => {
    const client = await pool.connect()
    expect(figures()).toMatchObject({ used: 1, free: 0, waiting: 0 })
    client.release()
    await pool.query('select 1')
    expect(figures()).toEqual({ used: 0, free: 1, waiting: 0, waits: 0, waitedSeconds: 0 })
  })

  test('transactions and statements that wait are counted with their seconds', async () => {
    const client = await pool.connect()
    const [second, third] = [pool.connect(), pool.query('select 1')]
    expect(figures()).toMatchObject({ waiting: 2, waits: 2, waitedSeconds: 0 })
    now = 2000
    client.release()
    const taken = await second
    now = 3000
    taken.release()
    await third
    expect(figures()).toMatchObject({ waiting: 0, waits: 2, waitedSeconds: 5 })
  })
})
