// Settles a database that another program has restored to a point in time.
import { parseArgs } from 'node:util'
import type { AloneCommand, CommandCall } from '#server/cli/command.ts'
import type { Env } from '#server/env/env.ts'
import { settleRestored } from '#server/store/backup/after-restore.ts'
import { erasuresIn, importErasures, openTarget, repeatErasures } from './repeat-erasures.ts'
import { openPostgresTarget } from './target.ts'
import { wrongCall } from '#server/cli/wrong-call.ts'

interface Parameters {
  readonly confirmed: string
  /** A copy of the log of erasures. */
  readonly erasures: string | undefined
}

/** @returns undefined for wrong parameters */
function parametersOf(args: readonly string[]): Parameters | undefined {
  try {
    const { confirm, erasures } = parseArgs({
      args: [...args],
      options: { confirm: { type: 'string' }, erasures: { type: 'string' } },
    }).values
    return confirm === undefined ? undefined : { confirmed: confirm, erasures }
  } catch {
    return undefined
  }
}

async function settle(env: Env, given: Parameters, print: CommandCall['print']): Promise<number> {
  const target = await openPostgresTarget(env.DATABASE_URL, given.confirmed, 'settle')
  try {
    for (const it of target.refusals) print(it)
    if (target.refusals.length > 0) return 1
    await target.begin()
    const { database } = await target.open()
    try {
      await settleRestored(database.db)
    } finally {
      await database.close()
    }
    const deps = await openTarget(env, target)
    try {
      await importErasures(deps, given.erasures)
      await repeatErasures(deps, deps.clock(), print)
    } finally {
      await deps.close()
    }
    await target.complete()
    print('復元が終わりました。サーバーを起動できます。')
    return 0
  } finally {
    await target.close()
  }
}

export const backupSettle: AloneCommand = {
  usage: 'backup settle --confirm <データベース名> [--erasures <ファイル>]',
  summary:
    'ほかのプログラムで過去の時点に戻した PostgreSQL のデータベースを、起動できる状態にします。送信待ちのメールと通知を取り消し、完全に削除されたアカウントと書類をもう一度削除します',
  needs: 'site',
  async runAlone({ env, args, print }) {
    const given = parametersOf(args)
    if (!given) return wrongCall(print, this.usage)
    if (env.DATABASE_URL === '') {
      print('PostgreSQL のデータベースのためのコマンドです。環境変数 DATABASE_URL を設定してください。')
      return 1
    }
    await erasuresIn(given.erasures)
    return settle(env, given, print)
  },
}
