// Starts on a schema of another version, by one server or several.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import pg from 'pg'
import { migrationsFolder } from './store/database.ts'
import { type LaterMigrations, laterMigrations } from './testing/migrations.ts'
import { postgresAvailable } from './testing/postgres.ts'
import { templateDump } from './testing/template.ts'
import { openWorld, type World } from './testing/world.ts'
import { type Database, openPostgres } from './adapters/database/database.ts'
import { openMemory } from './adapters/database/embedded/embedded.ts'
import { migrateLocked, SchemaNewer } from './adapters/database/migrate.ts'

const open: { close(): Promise<void> }[] = []
const folders: LaterMigrations[] = []
afterEach(async () => {
  for (const it of open.splice(0).toReversed()) await it.close()
  for (const it of folders.splice(0)) await it.remove()
})

async function later(statements: readonly string[], indexes?: string): Promise<string> {
  const made = await laterMigrations(statements, indexes)
  folders.push(made)
  return made.folder
}
const opened = async <T extends Database>(opening: Promise<T>): Promise<T> => {
  const it = await opening
  open.push(it)
  return it
}

const addedColumn = 'alter table "posts" add column "later" integer'
const index = 'create index concurrently "later_index" on "posts" ("created_at");'
const validity = `select indisvalid as valid from pg_index where indexrelid = 'later_index'::regclass`

describe('on pglite', () => {
  test('a schema with two unknown migrations is refused by one sentence; its own version opens it', async () => {
    const folder = await later([addedColumn, 'alter table "posts" add column "second" integer'], index)
    const newer = await openMemory(folder, await templateDump())
    expect((await newer.executeSql(validity)).rows).toEqual([{ valid: true }])
    const dump = await newer.dump()
    await newer.close()
    await expect(openMemory(migrationsFolder, dump)).rejects.toEqual(new SchemaNewer(2))
    expect(new SchemaNewer(2).message).toContain('この版にないマイグレーション 2 件')
    await opened(openMemory(folder, dump))
  }, 60_000)
})

describe.skipIf(!postgresAvailable())('on postgres', () => {
  let world: World
  let url: string
  beforeEach(async () => {
    world = await openWorld({ database: 'postgres' })
    url = world.postgres?.url ?? ''
    open.push(world)
  })
  const migrations = async () =>
    (await world.database.executeSql('select 1 from drizzle.__drizzle_migrations')).rows.length

  test('a start on a newer schema is refused, while a server that was open before goes on', async () => {
    await opened(openPostgres(url, await later([addedColumn])))
    await expect(openPostgres(url, migrationsFolder)).rejects.toEqual(new SchemaNewer(1))
    expect((await world.app.inject({ method: 'GET', url: '/api/health/ready' })).statusCode).toBe(200)
  })

  test('servers that start together migrate once, and make one valid index', async () => {
    const before = await migrations()
    const folder = await later([addedColumn], index)
    await Promise.all([1, 2, 3].map(() => opened(openPostgres(url, folder))))
    expect(await migrations()).toBe(before + 1)
    expect((await world.database.executeSql(validity)).rows).toEqual([{ valid: true }])
  })

  test('an index whose making was interrupted is made again', async () => {
    const folder = await later([], index)
    await opened(openPostgres(url, folder))
    const invalid = `update pg_index set indisvalid = false where indexrelid = 'later_index'::regclass`
    await world.database.executeSql(invalid)
    await opened(openPostgres(url, folder))
    expect((await world.database.executeSql(validity)).rows).toEqual([{ valid: true }])
  })

  test('a migration that waits for a table lets other queries pass between its tries', async () => {
    const [reader, migrator] = [new pg.Client(url), new pg.Client(url)]
    for (const it of [reader, migrator]) {
      await it.connect()
      open.push({ close: () => it.end() })
    }
    await reader.query('begin')
    await reader.query('select 1 from posts limit 1')
    const migrated = migrateLocked(migrator, await later([addedColumn]), 300)
    // Waits behind the migration, which gives up: without a limit this would never return.
    // Other tests have other databases of the same cluster, in which the table has the same number.
    const own = `(select oid from pg_database where datname = current_database())`
    const waiting = `select 1 from pg_locks where relation = 'posts'::regclass and database = ${own} and not granted`
    const isWaiting = async () => (await world.database.executeSql(waiting)).rows.length > 0
    await vi.waitUntil(isWaiting, { timeout: 20_000, interval: 20 })
    await world.database.executeSql('select 1 from posts limit 1')
    await reader.query('commit')
    await migrated
    expect((await world.database.executeSql('select later from posts')).rows).toEqual([])
  })
})
