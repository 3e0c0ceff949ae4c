// The database of a restore, which is closed to servers until it is complete.
import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { openPostgres, openSingleSession } from '#server/adapters/database/database.ts'
import { openFolder } from '#server/adapters/database/embedded/embedded.ts'
import { lockFolder } from '#server/adapters/database/folder-lock.ts'
import { mustRestore, RESTORE_SESSION, restorePostgres } from '#server/adapters/database/programs.ts'
import { hasEmbedded, restoreEmbedded } from '#server/adapters/database/snapshot.ts'
import type { Env } from '#server/env/env.ts'
import type { Opened } from '#server/open-database.ts'
import {
  emptyDatabase,
  endLeftRestore,
  markRestore,
  readTargetFacts,
  type RestoreKind,
} from '#server/store/backup/restore-mark.ts'
import { migrationsFolder } from '#server/store/database.ts'

export interface Target {
  /** Why nothing may be restored into it, a sentence for each reason. */
  readonly refusals: readonly string[]
  /** Makes the database of a dump. No server starts on it before `complete`. @param major version of PostgreSQL */
  fill(dump: string, major: number): Promise<void>
  /** Keeps servers from it, which has its rows already. */
  begin(): Promise<void>
  /** Opens it, with the schema of this version. */
  open(): Promise<Opened>
  /** Lets servers start on it. */
  complete(): Promise<void>
  close(): Promise<void>
}

const notConfirmed = (name: string) =>
  `データベース「${name}」は空ではありません。中身を削除して復元するときは、--confirm ${name} を指定してください。`

const unconfirmed: Readonly<Record<RestoreKind, (name: string) => string>> = {
  restore: notConfirmed,
  settle: (name) =>
    `--confirm の名前がデータベースの名前「${name}」と異なります。DATABASE_URL を確認してください。`,
}

const halfFilled =
  'backup restore が終わっていないデータベースです。backup restore をもう一度実行してください。'

const nothingToUnlock = async () => undefined

/**
 * @param confirmed the name of a database whose content may be deleted, or settled
 * @param kind what is done with it; `settle`: it has its rows already
 */
export async function openPostgresTarget(
  url: string,
  confirmed: string | undefined,
  kind: RestoreKind = 'restore',
): Promise<Target> {
  const session = await openSingleSession(url, migrationsFolder)
  const found = await readTargetFacts(session.db)
  const isRepeated = kind === 'restore' && found.begun === 'restore'
  if (isRepeated) await endLeftRestore(session.db, RESTORE_SESSION)
  const facts = isRepeated ? await readTargetFacts(session.db) : found
  const { name, isFilled, begun, isOwner, sessions } = facts
  return {
    refusals: [
      ...(isFilled && begun !== kind && confirmed !== name ? [unconfirmed[kind](name)] : []),
      ...(kind === 'settle' && begun === 'restore' ? [halfFilled] : []),
      ...(isOwner ? [] : ['データベースの所有者で接続してください。']),
      ...(sessions > 0
        ? [`ほかの接続が${sessions}本あります。このデータベースを使うサーバーやツールを終了してください。`]
        : []),
    ],
    async fill(dump, major) {
      // Before anything is deleted.
      await mustRestore(major)
      await markRestore(session.db, name, 'restore')
      if (isFilled) await emptyDatabase(session.db)
      await restorePostgres(url, dump)
    },
    begin: () => markRestore(session.db, name, kind),
    open: async () => ({ database: await openPostgres(url, migrationsFolder), unlock: nothingToUnlock }),
    complete: () => markRestore(session.db, name, 'complete'),
    close: () => session.close(),
  }
}

/** By this name the content of an embedded database is confirmed. */
export const EMBEDDED = 'pglite'

/** The database is made in a folder of its own, which gets its name last; an earlier one is renamed. */
export async function openEmbeddedTarget(
  { DATA_DIR: dataDir }: Env,
  confirmed: string | undefined,
): Promise<Target> {
  const unlock = await lockFolder(dataDir)
  const making = path.join(dataDir, 'restoring')
  const isFilled = await hasEmbedded(dataDir)
  return {
    refusals: isFilled && confirmed !== EMBEDDED ? [notConfirmed(EMBEDDED)] : [],
    async fill(dump) {
      await rm(making, { recursive: true, force: true })
      await mkdir(making, { mode: 0o700 })
      await restoreEmbedded(making, dump)
    },
    begin: async () => undefined,
    open: async () => ({ database: await openFolder(making, migrationsFolder), unlock: nothingToUnlock }),
    async complete() {
      const place = path.join(dataDir, EMBEDDED)
      if (isFilled) await rename(place, `${place}.before-${Date.now()}`)
      await rename(path.join(making, EMBEDDED), place)
      await rmdir(making)
      const folder = await open(dataDir)
      await folder.sync()
      await folder.close()
    },
    close: unlock,
  }
}
