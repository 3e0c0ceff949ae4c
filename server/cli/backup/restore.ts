// Restores a backup into an empty database, and repeats the erasures since then.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { refuseUnknown } from '#server/adapters/database/migrate.ts'
import { factsOfFile } from '#server/adapters/files/backup-folder.ts'
import type { AloneCommand, CommandCall } from '#server/cli/command.ts'
import type { Deps } from '#server/deps.ts'
import type { Env } from '#server/env/env.ts'
import { DUMP, type Manifest, OBJECTS } from '#server/services/backup/manifest.ts'
import { restoreObjects } from '#server/services/backup/restore-objects.ts'
import { readManifest } from '#server/services/backup/verify.ts'
import { settleRestored } from '#server/store/backup/after-restore.ts'
import { countRowsOfBackup, type RowCounts } from '#server/store/backup/facts.ts'
import { migrationsFolder } from '#server/store/database.ts'
import { removeLostKey } from '#server/services/keys/lost-key.ts'
import { keyRefusals } from './given-keys.ts'
import { erasuresIn, importErasures, openTarget, repeatErasures } from './repeat-erasures.ts'
import { openEmbeddedTarget, openPostgresTarget, type Target } from './target.ts'
import { sentenceOf } from './verify.ts'
import { wrongCall } from '#server/cli/wrong-call.ts'

type Print = CommandCall['print']

interface Parameters {
  readonly folder: string
  readonly confirmed: string | undefined
  /** A copy of the log of erasures. */
  readonly erasures: string | undefined
  /** Fingerprints of keys that are lost. */
  readonly lostKeys: readonly string[]
}

/** @returns undefined for wrong parameters */
function parametersOf(args: readonly string[]): Parameters | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        confirm: { type: 'string' },
        erasures: { type: 'string' },
        'lost-key': { type: 'string', multiple: true },
      },
      allowPositionals: true,
    })
    const [folder, ...more] = positionals
    if (folder === undefined || folder === '' || more.length > 0) return undefined
    const { confirm: confirmed, erasures, 'lost-key': lostKeys = [] } = values
    return { folder: path.resolve(folder), confirmed, erasures, lostKeys }
  } catch {
    return undefined
  }
}

/** Why the backup cannot be restored here, a line for each reason. @throws SchemaNewer */
async function refusalsOf(env: Env, { folder, lostKeys }: Parameters, manifest: Manifest): Promise<string[]> {
  const kind = env.DATABASE_URL === '' ? 'pglite' : 'postgres'
  if (manifest.database !== kind)
    return [
      kind === 'pglite'
        ? 'PostgreSQL のバックアップです。環境変数 DATABASE_URL を設定してください。'
        : '組み込みのデータベースのバックアップです。環境変数 DATABASE_URL を空にしてください。',
    ]
  const refusals: string[] = []
  for (const name of [DUMP, OBJECTS] as const) {
    const found = await factsOfFile(path.join(folder, name))
    const isEqual = found?.sha256 === manifest.files[name].sha256
    if (!isEqual) refusals.push(sentenceOf({ is: found ? 'file_changed' : 'file_missing', name }))
  }
  refuseUnknown(manifest.migrations, migrationsFolder)
  return [...refusals, ...(await keyRefusals(env, manifest.keys, lostKeys))]
}

/** Rows that the dump had and the restored database does not have; empty when it has all. */
function lostRows(wanted: RowCounts, found: RowCounts): string[] {
  const names = Object.keys(found) as (keyof RowCounts)[]
  return names.filter((it) => wanted[it] !== found[it]).map((it) => `${it}: ${found[it]} / ${wanted[it]}`)
}

async function fillTarget(target: Target, given: Parameters, manifest: Manifest): Promise<void> {
  await target.fill(path.join(given.folder, DUMP), manifest.postgres)
  const { database } = await target.open()
  try {
    const lost = lostRows(manifest.rows, await countRowsOfBackup(database.db))
    if (lost.length > 0) throw new Error(`the restored database has other rows: ${lost.join(', ')}`)
    await settleRestored(database.db)
    for (const it of given.lostKeys) await removeLostKey(database.db, it)
  } finally {
    await database.close()
  }
}

/** Puts objects back, repeats erasures, and closes. @returns the exit code */
async function finish(deps: Deps, given: Parameters, manifest: Manifest, print: Print): Promise<number> {
  try {
    return await putBack(deps, given, manifest, print)
  } finally {
    await deps.close()
  }
}

async function putBack(deps: Deps, given: Parameters, manifest: Manifest, print: Print): Promise<number> {
  const { objects, scratch } = deps.storage
  // Objects that the log has are not put back.
  await importErasures(deps, given.erasures)
  const { copied, wrong } = await restoreObjects({ folder: given.folder, objects, scratch })
  print(`ファイルを${copied}件戻しました。`)
  if (wrong.length > 0) print(`見つからないか、内容が作成時と異なるファイルが${wrong.length}件あります:`)
  for (const key of wrong.slice(0, 50)) print(`  ${key}`)
  await repeatErasures(deps, Date.parse(manifest.made_at), print)
  return wrong.length > 0 ? 1 : 0
}

async function restore(env: Env, given: Parameters, manifest: Manifest, print: Print): Promise<number> {
  const { DATABASE_URL: url } = env
  const target = await (url === ''
    ? openEmbeddedTarget(env, given.confirmed)
    : openPostgresTarget(url, given.confirmed))
  try {
    for (const it of target.refusals) print(it)
    if (target.refusals.length > 0) return 1
    await fillTarget(target, given, manifest)
    print(`データベースを戻しました（${manifest.made_at} の時点）。`)
    const deps = await openTarget(env, target)
    const code = await finish(deps, given, manifest, print)
    await target.complete()
    print('復元が終わりました。サーバーを起動できます。')
    return code
  } finally {
    await target.close()
  }
}

export const backupRestore: AloneCommand = {
  usage:
    'backup restore <フォルダー> [--confirm <データベース名>] [--erasures <ファイル>] [--lost-key <キーの名前>]',
  summary:
    'バックアップを、空のデータベースに復元します。そのあとに完全に削除されたアカウントと書類は、もう一度削除します',
  needs: 'keys',
  async runAlone({ env, args, print }) {
    const given = parametersOf(args)
    if (!given) return wrongCall(print, this.usage)
    const manifest = await readManifest(given.folder)
    if (!manifest) {
      print(sentenceOf({ is: 'manifest' }))
      return 1
    }
    // Before anything is changed: a wrong file of the log would stop the restore in the middle.
    await erasuresIn(given.erasures)
    const refusals = await refusalsOf(env, given, manifest)
    for (const it of refusals) print(it)
    return refusals.length > 0 ? 1 : restore(env, given, manifest, print)
  },
}
