// Opens PGlite in the data folder, or in memory for tests.
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import type { Database } from '#server/adapters/database/database.ts'
import { makeLargeIndexes, refuseNewerSchema } from '#server/adapters/database/migrate.ts'
import { tracePglite } from '#server/adapters/traces/statements.ts'
import { watchDamage } from './damage.ts'
import { openFiles } from './files.ts'

/**
 * Opens PGlite in a folder; a commit resolves once it is on the disk.
 * @throws DatabaseDamaged, DatabaseVersionDiffers, FolderUnusable
 */
export const openFolder = async (folder: string, migrations: string): Promise<Database> =>
  fromPglite(await openFiles(folder), migrations)

/** Opens PGlite in memory, empty or from a dump. */
export async function openMemory(
  migrations: string,
  from?: NonNullable<PGliteOptions['loadDataDir']>,
): Promise<Database & { dump(): Promise<Blob> }> {
  const client = await PGlite.create(from ? { loadDataDir: from } : {})
  return { ...(await fromPglite(client, migrations)), dump: () => client.dumpDataDir('none') }
}

async function fromPglite(client: PGlite, migrations: string): Promise<Database> {
  const damage = watchDamage(client)
  const db = drizzle(client)
  await refuseNewerSchema(client, migrations)
  await migrate(db, { migrationsFolder: migrations })
  await makeLargeIndexes(client, migrations, false)
  return {
    kind: 'pglite',
    db: db as unknown as Database['db'],
    async executeSql(text, values) {
      if (values && values.length > 0) return client.query(text, [...values])
      return (await client.exec(text)).at(-1) ?? { rows: [] }
    },
    exclusively: exclusivelyHere(),
    async ping() {
      await client.query('select 1')
    },
    damage,
    trace: (traces) => tracePglite(traces, client),
    close: () => client.close(),
  }
}

/** `exclusively` for PGlite: the folder has one process, so the names are in its memory. */
function exclusivelyHere(): Database['exclusively'] {
  const taken = new Set<string>()
  return async (name, work) => {
    if (taken.has(name)) return 'busy'
    taken.add(name)
    try {
      await work()
      return 'done'
    } finally {
      taken.delete(name)
    }
  }
}
