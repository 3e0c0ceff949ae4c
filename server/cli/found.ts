// What a command must find before it begins.
import { stat } from 'node:fs/promises'
import { openSingleSession } from '#server/adapters/database/database.ts'
import { hasEmbedded } from '#server/adapters/database/snapshot.ts'
import { hasMasterKey } from '#server/adapters/master-keys.ts'
import { readVapid } from '#server/adapters/push/vapid.ts'
import type { Env } from '#server/env/env.ts'
import { vapidOf } from '#server/env/push.ts'
import { migrationsFolder } from '#server/store/database.ts'

/**
 * `folder`: the data folder. `keys`: also the master key and those for pushes. `database`: the folder, and a database that
 * a server has used. `site`: all of them.
 */
export type Needs = 'nothing' | 'folder' | 'keys' | 'database' | 'site'

export const sameAsServers =
  'サーバーと同じユーザーと環境変数で実行してください。インストールしたサイトでは、todoke-admin を使うと同じになります。'

/** The command was started with another environment, folder or user than the servers. */
export class NothingThere extends Error {
  constructor(what: string) {
    super(what + sameAsServers)
    this.name = 'NothingThere'
  }
}

async function mustHaveFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (!found?.isDirectory()) throw new NothingThere(`データフォルダー ${folder} がありません。`)
  // Files that root makes there could not be read by the servers.
  const isRoot = process.getuid?.() === 0
  if (isRoot && found.uid !== 0)
    throw new NothingThere(`データフォルダー ${folder} は root のものではありません。`)
}

async function mustHaveKeys(env: Env): Promise<void> {
  const { DATA_DIR: folder, SECRET_KEY: present, SECRET_KEY_OTHERS: others } = env
  if (!(await hasMasterKey(folder, { present, others })))
    throw new NothingThere(`環境変数 SECRET_KEY も、データフォルダー ${folder} の secret.key もありません。`)
  if (!(vapidOf(env) ?? (await readVapid(folder))))
    throw new NothingThere(
      `環境変数 VAPID_PUBLIC_KEY も、データフォルダー ${folder} の vapid.json もありません。`,
    )
}

async function mustHaveDatabase({ DATABASE_URL: url, DATA_DIR: folder }: Env): Promise<void> {
  if (url === '') {
    if (!(await hasEmbedded(folder)))
      throw new NothingThere(`データフォルダー ${folder} にデータベースがありません。`)
    return
  }
  const session = await openSingleSession(url, migrationsFolder)
  try {
    const { rows } = (await session.db.execute(
      `select to_regclass('public.users') is not null as "isMade"`,
    )) as {
      rows: { isMade: boolean }[]
    }
    if (rows[0]?.isMade !== true)
      throw new NothingThere('DATABASE_URL のデータベースは空で、サーバーが使ったことがありません。')
  } finally {
    await session.close()
  }
}

/**
 * A command makes no folder, key or database: one that it made in a wrong place would be taken for the site's.
 * @throws NothingThere
 */
export async function mustFind(env: Env, needs: Needs): Promise<void> {
  if (needs === 'nothing') return
  await mustHaveFolder(env.DATA_DIR)
  if (needs === 'keys' || needs === 'site') await mustHaveKeys(env)
  if (needs === 'database' || needs === 'site') await mustHaveDatabase(env)
}
