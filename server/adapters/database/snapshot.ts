// A snapshot of the database: its rows, and a dump of the same rows.
import { openAsBlob } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { openClient } from './connecting.ts'
import type { Database } from './database.ts'
import { DurableNodeFS } from './embedded/durable-fs.ts'
import { embeddedIn, openFiles, sync, syncAll } from './embedded/files.ts'
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

/** Servers may write meanwhile. No migration is run. @throws NotConnected */
export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = await openClient(url)
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

/** Whether a data folder has an embedded database, be it damaged. */
export const hasEmbedded = (dataDir: string): Promise<boolean> =>
  readdir(embeddedIn(dataDir)).then(
    (it) => it.length > 0,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )

/** The embedded database, of which this process has the lock. No migration is run. */
export async function openEmbeddedSnapshot(dataDir: string): Promise<Snapshot> {
  const client = await openFiles(dataDir)
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
  await syncAll(folder)
  await sync(dataDir)
}

/** Reads a dump without changing anything. @throws when it is not one */
export async function checkDump(kind: Database['kind'], file: string): Promise<void> {
  if (kind === 'postgres') return readContents(file)
  const client = await PGlite.create({ loadDataDir: await openAsBlob(file) })
  await client.query('select 1')
  await client.close()
}
