// A snapshot of the database: its rows, and a dump of the same rows.
import { openAsBlob } from 'node:fs'
import { open, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import pg from 'pg'
import type { Database } from './database.ts'
import { DurableNodeFS } from './durable-fs.ts'
import { dumpPostgres, readContents } from './programs.ts'

export interface Snapshot {
  readonly kind: Database['kind']
  /** Major version of the server. */
  readonly major: number
  /** Reads the rows of the snapshot; after `end` the present ones. */
  readonly db: Database['db']
  /** Writes a dump of the snapshot to a new file, which only this user may read. @throws ProgramFailed */
  dumpTo(file: string): Promise<void>
  end(): Promise<void>
  close(): Promise<void>
}

const majorOf = (version: string) => Math.floor(Number(version) / 10_000)

/** Servers may write meanwhile. No migration is run. */
export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = new pg.Client({ connectionString: url, keepAlive: true })
  await client.connect()
  // Without a listener a broken connection would end the process; the next statement rejects.
  client.on('error', () => undefined)
  const value = async (text: string) =>
    String(Object.values((await client.query<Record<string, unknown>>(text)).rows[0] ?? {})[0])
  const major = majorOf(await value('show server_version_num'))
  await client.query('begin isolation level repeatable read, read only')
  const snapshot = await value('select pg_export_snapshot()')
  return {
    kind: 'postgres',
    major,
    db: drizzlePg(client) as unknown as Database['db'],
    dumpTo: (file) => dumpPostgres({ url, major, snapshot }, file),
    end: async () => void (await client.query('commit')),
    close: () => client.end(),
  }
}

const embeddedIn = (dataDir: string) => path.join(dataDir, 'pglite')

/** Whether a data folder has an embedded database. */
export const hasEmbedded = (dataDir: string): Promise<boolean> =>
  stat(path.join(embeddedIn(dataDir), 'PG_VERSION')).then(
    () => true,
    () => false,
  )

/** The embedded database, of which this process has the lock. No migration is run. */
export async function openEmbeddedSnapshot(dataDir: string): Promise<Snapshot> {
  const client = await PGlite.create({ fs: new DurableNodeFS(embeddedIn(dataDir)) })
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  return {
    kind: 'pglite',
    major: majorOf(rows[0]?.server_version_num ?? '0'),
    db: drizzlePglite(client) as unknown as Database['db'],
    async dumpTo(file) {
      const dump = await client.dumpDataDir('gzip')
      await writeFile(file, dump.stream(), { flag: 'wx', mode: 0o600 })
    },
    end: async () => undefined,
    close: () => client.close(),
  }
}

/** Makes an embedded database of a dump in a data folder that has none; durable when it returns. */
export async function restoreEmbedded(dataDir: string, file: string): Promise<void> {
  const folder = embeddedIn(dataDir)
  const client = await PGlite.create({ fs: new DurableNodeFS(folder), loadDataDir: await openAsBlob(file) })
  await client.close()
  for (const it of await readdir(folder, { recursive: true })) await sync(path.join(folder, it))
  for (const it of [folder, dataDir]) await sync(it)
}

async function sync(file: string): Promise<void> {
  const handle = await open(file)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Reads a dump without changing anything. @throws when it is not one */
export async function checkDump(kind: Database['kind'], file: string): Promise<void> {
  if (kind === 'postgres') return readContents(file)
  const client = await PGlite.create({ loadDataDir: await openAsBlob(file) })
  await client.query('select 1')
  await client.close()
}
