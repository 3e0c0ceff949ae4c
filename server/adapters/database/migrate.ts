// Brings the schema up to date, and refuses a newer one.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'

/** Any number, as long as every process that migrates uses the same one. */
const MIGRATION_LOCK = 7_240_001
/** How often a process that waits for another one's migrations looks, ms. */
const LOOK_EVERY = 100
/** How long a migration waits for a table, while new queries of that table wait behind it, ms. */
const LOCK_TIMEOUT = 4000
/** How often a migration is begun again after it did not get a table, and the pause before it, ms. */
const TRIES = 10
const PAUSE = 1000

/** Indexes of large tables, each made outside a transaction. */
const INDEX_FILE = 'concurrent-indexes.sql'

export class SchemaNewer extends Error {
  constructor(unknown: number) {
    super(
      `データベースは新しい版のとどけで更新されています（この版にないマイグレーション ${unknown} 件）。新しい版を起動するか、更新前のバックアップに戻してから起動してください。`,
    )
    this.name = 'SchemaNewer'
  }
}

/** A connection of either database. */
interface Connection {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/**
 * Checks that each migration of the database is one of the folder.
 * @throws SchemaNewer: a newer version has written rows that this one may not understand
 */
export async function refuseNewerSchema(connection: Connection, migrations: string): Promise<void> {
  const { rows: tables } = await connection.query(
    `select 1 where to_regclass('drizzle.__drizzle_migrations') is not null`,
  )
  if (tables.length === 0) return
  const { rows } = await connection.query(`select created_at::text as at from drizzle.__drizzle_migrations`)
  refuseUnknown(
    (rows as { at: string }[]).map(({ at }) => Number(at)),
    migrations,
  )
}

/** @param times of migrations, milliseconds since 1970 @throws SchemaNewer when the folder does not have one of them */
export function refuseUnknown(times: readonly number[], migrations: string): void {
  const known = new Set(readMigrationFiles({ migrationsFolder: migrations }).map((it) => it.folderMillis))
  const unknown = times.filter((it) => !known.has(it)).length
  if (unknown > 0) throw new SchemaNewer(unknown)
}

/** Time of the folder's newest migration, ms since 1970. */
export const newestMigration = (migrations: string): number =>
  Math.max(0, ...readMigrationFiles({ migrationsFolder: migrations }).map((it) => it.folderMillis))

interface LargeIndex {
  readonly name: string
  readonly statement: string
}

async function largeIndexes(migrations: string): Promise<LargeIndex[]> {
  const text = await readFile(path.join(migrations, INDEX_FILE), 'utf8')
  const withoutComments = text.replaceAll(/^--.*$/gm, '')
  const statements = withoutComments
    .split(';')
    .map((it) => it.trim())
    .filter((it) => it !== '')
  return statements.map((statement) => {
    const name = /^create (?:unique )?index concurrently "(\w+)" on /i.exec(statement)?.[1]
    if (name === undefined) throw new TypeError(`${INDEX_FILE} has another statement: ${statement}`)
    return { name, statement }
  })
}

/**
 * Makes the indexes of the file that are missing, and those again whose making was interrupted.
 * @param concurrently whether other connections write meanwhile
 */
export async function makeLargeIndexes(
  connection: Connection,
  migrations: string,
  concurrently: boolean,
): Promise<void> {
  for (const { name, statement } of await largeIndexes(migrations)) {
    const { rows } = await connection.query(
      `select indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
       where relname = $1 and relnamespace = current_schema()::regnamespace`,
      [name],
    )
    const [found] = rows as { valid: boolean }[]
    if (found?.valid) continue
    const plainly = (text: string) => (concurrently ? text : text.replace(/ concurrently /i, ' '))
    // PostgreSQL leaves an invalid index when its making ends early; it costs writes and serves no read.
    if (found) await connection.query(plainly(`drop index concurrently "${name}"`))
    await connection.query(plainly(statement))
  }
}

/**
 * Waits until no other process migrates. A session that slept in `pg_advisory_lock` would have a snapshot, for whose
 * end `create index concurrently` of the other process waits.
 */
export async function lockMigrations(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ it: boolean }>('select pg_try_advisory_lock($1) as it', [
      MIGRATION_LOCK,
    ])
    if (rows[0]?.it === true) return
    await pause(LOOK_EVERY)
  }
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === '55P03' || isLockTimeout(error.cause))

/** Migrates with a limited wait for each table; what waits longer is undone, and begun again after a pause. */
async function migrateBriefly(client: pg.ClientBase, migrations: string, timeout: number): Promise<void> {
  await client.query(`set lock_timeout = ${timeout}`)
  try {
    for (let left = TRIES; ; left--) {
      try {
        return await migrate(drizzle(client as pg.Client), { migrationsFolder: migrations })
      } catch (error) {
        if (left === 0 || !isLockTimeout(error)) throw error
        await pause(PAUSE)
      }
    }
  } finally {
    await client.query('reset lock_timeout')
  }
}

/**
 * Migrates on a connection that has the lock of migrations.
 * @throws SchemaNewer
 */
export async function migrateLocked(
  client: pg.ClientBase,
  migrations: string,
  timeout = LOCK_TIMEOUT,
): Promise<void> {
  await refuseNewerSchema(client, migrations)
  await migrateBriefly(client, migrations, timeout)
  await makeLargeIndexes(client, migrations, true)
}

/** Servers that start together migrate one after the other. @throws SchemaNewer */
export async function migrateAlone(pool: pg.Pool, migrations: string): Promise<void> {
  const client = await pool.connect()
  try {
    await lockMigrations(client)
    await migrateLocked(client, migrations)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined)
    client.release()
  }
}
