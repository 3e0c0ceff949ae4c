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
import { openEarlier } from '#server/services/backup/earlier.ts'
import type { AloneCommand, CommandCall } from '#server/cli/command.ts'
import { withStorage } from './open-storage.ts'
import { wrongCall } from '#server/cli/wrong-call.ts'

/** Files named at most. */
const MOST = 50

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
      const earlier = await openEarlier(folder)
      try {
        return await createBackup({ snapshot, objects, backup, now, copiesAll, earlier })
      } catch (error) {
        await backup.abandon()
        throw error
      } finally {
        await earlier?.close()
      }
    })
  } finally {
    await close()
  }
}

function printResult(
  { manifest, lost, shared, damaged }: Created,
  folder: string,
  print: CommandCall['print'],
): void {
  const { listed, copied, bytes } = manifest.objects
  const { people, posts, paid_payments: payments } = manifest.rows
  print(`バックアップを作成しました: ${folder}`)
  print(`  データベース: ユーザー${people}人、投稿${posts}件、支払い済み${payments}件`)
  const before = shared > 0 ? `、前回のバックアップと共有${shared}件` : ''
  print(`  ファイル: ${listed}件（うちコピー${copied - shared}件${before}）、${bytes}バイト`)
  if (damaged.length > 0) {
    print(
      `前回のバックアップで壊れているか、なくなっているファイルが${damaged.length}件あります。新しくコピーしました:`,
    )
    for (const it of damaged.slice(0, MOST)) print(`  ${it}`)
  }
  if (lost.length === 0) return
  print(`データベースにあるのに、見つからないファイルが${lost.length}件あります:`)
  for (const it of lost.slice(0, MOST)) print(`  ${it.key}`)
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
    'データベースとファイルのバックアップを、空のフォルダーに作成します。同じ場所に前回のバックアップがあるときは、変わっていないファイルをハードリンクで共有します。--objects は、オブジェクトストレージのファイルもコピーします',
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
