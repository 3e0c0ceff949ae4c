// Makes a backup while servers run.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { lockFolder } from '#server/adapters/database/folder-lock.ts'
import {
  hasEmbedded,
  openEmbeddedSnapshot,
  openPostgresSnapshot,
  type Snapshot,
} from '#server/adapters/database/snapshot.ts'
import { beginBackup, FolderRefused } from '#server/adapters/files/backup-folder.ts'
import { KEY_FILE } from '#server/adapters/master-keys.ts'
import { VAPID_FILE } from '#server/adapters/push/vapid.ts'
import type { Env } from '#server/env/env.ts'
import { vapidOf } from '#server/env/push.ts'
import { createBackup, type Created } from '#server/services/backup/create.ts'
import type { AloneCommand, CommandCall } from '#server/cli/command.ts'
import { withStorage } from './open-storage.ts'
import { wrongCall } from '#server/cli/wrong-call.ts'

interface Parameters {
  readonly folder: string
  readonly copiesAll: boolean
}

/** @returns undefined for wrong parameters */
function parametersOf(args: readonly string[]): Parameters | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { objects: { type: 'boolean' } },
      allowPositionals: true,
    })
    const [folder, ...more] = positionals
    if (folder === undefined || folder === '' || more.length > 0) return undefined
    return { folder: path.resolve(folder), copiesAll: values.objects === true }
  } catch {
    return undefined
  }
}

/** The database, and for the embedded one the lock of its folder. @throws FolderInUse, FolderRefused */
async function openSnapshot({ DATABASE_URL, DATA_DIR }: Env): Promise<{
  readonly snapshot: Snapshot
  readonly close: () => Promise<void>
}> {
  if (DATABASE_URL !== '') {
    const snapshot = await openPostgresSnapshot(DATABASE_URL)
    return { snapshot, close: () => snapshot.close() }
  }
  const unlock = await lockFolder(DATA_DIR)
  if (!(await hasEmbedded(DATA_DIR))) {
    await unlock()
    throw new FolderRefused(`データフォルダー ${DATA_DIR} にデータベースがありません。`)
  }
  const snapshot = await openEmbeddedSnapshot(DATA_DIR)
  return {
    snapshot,
    async close() {
      await snapshot.close()
      await unlock()
    },
  }
}

async function create(env: Env, { folder, copiesAll }: Parameters): Promise<Created> {
  const now = Date.now()
  const { snapshot, close } = await openSnapshot(env)
  try {
    return await withStorage(env, async ({ objects }) => {
      const backup = await beginBackup(folder)
      try {
        return await createBackup({ snapshot, objects, backup, now, copiesAll })
      } catch (error) {
        await backup.abandon()
        throw error
      }
    })
  } finally {
    await close()
  }
}

function printResult({ manifest, lost }: Created, folder: string, print: CommandCall['print']): void {
  const { listed, copied, bytes } = manifest.objects
  const { people, posts, paid_payments: payments } = manifest.rows
  print(`バックアップを作成しました: ${folder}`)
  print(`  データベース: ユーザー${people}人、投稿${posts}件、支払い済み${payments}件`)
  print(`  ファイル: ${listed}件（うちコピー${copied}件）、${bytes}バイト`)
  if (lost.length === 0) return
  print(`データベースにあるのに、見つからないファイルが${lost.length}件あります:`)
  for (const it of lost.slice(0, 50)) print(`  ${it.key}`)
}

/** Keys are in no backup: those that are in the data folder alone would be lost with it. */
function warnOfKeys(env: Env, print: CommandCall['print']): void {
  const inFolder = [...(env.SECRET_KEY === '' ? [KEY_FILE] : []), ...(vapidOf(env) ? [] : [VAPID_FILE])]
  if (inFolder.length === 0) return
  const folder = `データフォルダー ${env.DATA_DIR}`
  print(
    `キーはバックアップに入りません。${folder} の ${inFolder.join(' と ')} を、別の場所にも保管してください。`,
  )
}

export const backupCreate: AloneCommand = {
  usage: 'backup create <フォルダー> [--objects]',
  summary:
    'データベースとファイルのバックアップを、空のフォルダーに作成します。--objects は、オブジェクトストレージのファイルもコピーします',
  needs: 'site',
  async runAlone({ env, args, print }) {
    const given = parametersOf(args)
    if (!given) return wrongCall(print, this.usage)
    const created = await create(env, given)
    warnOfKeys(env, print)
    printResult(created, given.folder, print)
    return created.lost.length > 0 ? 1 : 0
  },
}
