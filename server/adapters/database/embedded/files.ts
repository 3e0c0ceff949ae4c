// Opens the files of the embedded database, examined; a new one is whole or absent.
import { open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { hasDatabase, mustBeNew, mustHaveWholePages, reasonOf } from './data-files.ts'
import { DurableNodeFS } from './durable-fs.ts'
import { advanceExtents, completeExtents, examineExtents } from './extents.ts'
import { isRefusal } from './refusals.ts'

/** The folder of the database in a data folder. */
export const embeddedIn = (folder: string): string => path.join(folder, 'pglite')

/** How often the extents of a database in use are stored, ms. */
const EXTENTS_EVERY = 60_000

const openIn = (fs: DurableNodeFS): Promise<PGlite> =>
  PGlite.create({
    fs,
    // Each page has a checksum, which is verified when the page is read.
    initDbStartParams: ['--data-checksums'],
    startParams: [...PGlite.defaultStartParams.filter((it) => it !== '-F'), '-c', 'wal_sync_method=fsync'],
  })

/**
 * Opens PGlite in a data folder, and makes its database if there is none.
 * @throws DatabaseDamaged, DatabaseMissing, DatabaseVersionDiffers, FolderUnusable, MemoryShort
 */
export async function openFiles(folder: string): Promise<PGlite> {
  const data = embeddedIn(folder)
  if (!(await hasDatabase(folder, data))) {
    await mustBeNew(folder)
    await makeDatabase(folder, data)
  }
  return explained(folder, async (said) => {
    const client = await openIn(new DurableNodeFS(data, said))
    mustHaveWholePages(folder, data, await filesOf(client))
    await examineExtents(client, { folder, data })
    return withExtents(client, folder, data)
  })
}

/** Runs work whose errors say why PostgreSQL did not start. @param work adds what PostgreSQL says when it ends */
async function explained<T>(folder: string, work: (said: string[]) => Promise<T>): Promise<T> {
  const said: string[] = []
  try {
    return await work(said)
  } catch (error) {
    throw isRefusal(error) ? error : await reasonOf(folder, error, said)
  }
}

/** Stores the extents from time to time, and before the database is closed. */
function withExtents(client: PGlite, folder: string, data: string): PGlite {
  // A failure leaves the extents as they were, which are those of an earlier moment.
  const ignore = () => undefined
  let advancing: Promise<void> | undefined
  const timer = setInterval(() => {
    advancing ??= advanceExtents(client, { folder, data })
      .catch(ignore)
      .finally(() => (advancing = undefined))
  }, EXTENTS_EVERY)
  timer.unref()
  const close = client.close.bind(client)
  client.close = async () => {
    clearInterval(timer)
    await advancing
    await completeExtents(client, data).catch(ignore)
    await close()
  }
  return client
}

/** Makes a database under another name first, so that a start that is killed leaves none. */
async function makeDatabase(folder: string, data: string): Promise<void> {
  const begun = `${data}.new`
  await explained(folder, async (said) => {
    await rm(begun, { recursive: true, force: true })
    await (await openIn(new DurableNodeFS(begun, said))).close()
    await syncAll(begun)
    await rename(begun, data)
    await sync(folder)
  })
}

/** Writes all files of a folder to the disk. */
export async function syncAll(folder: string): Promise<void> {
  for (const it of await readdir(folder, { recursive: true })) await sync(path.join(folder, it))
  await sync(folder)
}

export async function sync(file: string): Promise<void> {
  const handle = await open(file)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Paths of all tables and indexes, in the folder of the database. */
async function filesOf(client: PGlite): Promise<string[]> {
  const { rows } = await client.query<{ file: string }>(
    'select pg_relation_filepath(oid) as file from pg_class where pg_relation_filepath(oid) is not null',
  )
  return rows.map((it) => it.file)
}
