// Opens the database that the environment names, for this process.
import { type Database, openPostgres, type PostgresOptions } from './adapters/database/database.ts'
import { openFolder } from './adapters/database/embedded/embedded.ts'
import { lockFolder } from './adapters/database/folder-lock.ts'
import type { Env } from './env/env.ts'
import { refuseUnfinishedCopy } from './store/anonymise/copy-mark.ts'
import { refuseUnfinishedRestore } from './store/backup/restore-mark.ts'
import { type Db, migrationsFolder } from './store/database.ts'

export interface Opened {
  readonly database: Database
  /** Releases the folder of the embedded database, once it is closed. */
  readonly unlock: () => Promise<void>
}

async function refuseUnfinished(db: Db): Promise<void> {
  await refuseUnfinishedCopy(db)
  await refuseUnfinishedRestore(db)
}

/**
 * @param broken is called after connections were broken
 * @throws FolderInUse when another process has the folder
 * @throws UnfinishedRestore for a database that a restore has not completed
 * @throws UnfinishedCopy for a copy that is not anonymised: its emails, pushes and charges would reach real people
 */
export async function openDatabase(env: Env, broken?: PostgresOptions['broken']): Promise<Opened> {
  const { DATABASE_URL, DATABASE_REPLICA_URLS, DATA_DIR, ROLE } = env
  if (DATABASE_URL === '') {
    const unlock = await lockFolder(DATA_DIR)
    try {
      return { database: await openFolder(DATA_DIR, migrationsFolder), unlock }
    } catch (error) {
      await unlock()
      throw error
    }
  }
  // A worker serves no reads of lists.
  const replicas = { urls: ROLE === 'worker' ? [] : DATABASE_REPLICA_URLS }
  // Before the migrations, which would wait for the transaction of a restore, or make tables that it makes too.
  const database = await openPostgres(DATABASE_URL, migrationsFolder, {
    replicas,
    check: refuseUnfinished,
    ...(broken && { broken }),
  })
  try {
    // A restore may have begun during the migrations.
    await refuseUnfinished(database.db)
  } catch (error) {
    await database.close()
    throw error
  }
  return { database, unlock: async () => undefined }
}
