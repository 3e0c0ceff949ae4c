// Lets the key of the next server replace one that was lost or changed.
import { parseArgs } from 'node:util'
import { openSingleSession } from '#server/adapters/database/database.ts'
import { openFolder } from '#server/adapters/database/embedded/embedded.ts'
import { lockFolder } from '#server/adapters/database/folder-lock.ts'
import type { Env } from '#server/env/env.ts'
import { removeLostKey } from '#server/services/keys/lost-key.ts'
import { readCopyFacts } from '#server/store/anonymise/copy-mark.ts'
import { type Db, migrationsFolder } from '#server/store/database.ts'
import { readServerKeys } from '#server/store/keys/server-keys.ts'
import { EMBEDDED } from './backup/target.ts'
import type { AloneCommand, CommandCall } from './command.ts'
import { wrongCall } from './wrong-call.ts'

interface Parameters {
  readonly fingerprint: string
  readonly confirmed: string | undefined
}

function parametersOf(args: readonly string[]): Parameters | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { confirm: { type: 'string' } },
      allowPositionals: true,
    })
    const [fingerprint, ...more] = positionals
    if (fingerprint === undefined || more.length > 0) return undefined
    return { fingerprint, confirmed: values.confirm }
  } catch {
    return undefined
  }
}

/** Runs work with the database alone, for which no key is needed. */
async function withDatabase<T>(env: Env, work: (db: Db, name: string) => Promise<T>): Promise<T> {
  if (env.DATABASE_URL !== '') {
    const session = await openSingleSession(env.DATABASE_URL, migrationsFolder)
    try {
      return await work(session.db, (await readCopyFacts(session.db)).name)
    } finally {
      await session.close()
    }
  }
  const unlock = await lockFolder(env.DATA_DIR)
  try {
    const database = await openFolder(env.DATA_DIR, migrationsFolder)
    try {
      return await work(database.db, EMBEDDED)
    } finally {
      await database.close()
    }
  } finally {
    await unlock()
  }
}

const consequences = {
  master: [
    'そのキーで暗号化された本人確認の書類、銀行口座、二段階認証は、読めなくなります。監査ログは、ここまでの記録を検証できなくなります。',
    '以前のキーが残っているときは、代わりに SECRET_KEY_OTHERS で指定してください。',
  ],
  vapid: ['通知は、各端末で次にアプリを開くまで届かなくなります。'],
} as const

async function replace(
  db: Db,
  name: string,
  given: Parameters & Pick<CommandCall, 'print'>,
): Promise<number> {
  const { fingerprint, confirmed, print } = given
  const found = (await readServerKeys(db)).find((it) => it.fingerprint === fingerprint)
  if (!found) {
    print('この名前のキーは、データベースにありません。')
    return 1
  }
  if (confirmed !== name) {
    for (const it of consequences[found.name]) print(it)
    print(`続けるときは、--confirm ${name} を付けて、もう一度実行してください。`)
    return 1
  }
  await removeLostKey(db, fingerprint)
  print('次に起動するサーバーのキーが、このデータベースのものになります。')
  return 0
}

export const keyReplace: AloneCommand = {
  usage: 'key replace <キーの名前> [--confirm <データベース名>]',
  summary: '失ったか取り替えたキーの代わりに、次に起動するサーバーのキーを使うようにします',
  needs: 'database',
  async runAlone({ env, args, print }) {
    const given = parametersOf(args)
    if (!given) return wrongCall(print, this.usage)
    return withDatabase(env, (db, name) => replace(db, name, { ...given, print }))
  },
}
