// Repeats in a restored database what was erased since its moment.
import { readFile } from 'node:fs/promises'
import { NO_ID } from '#contract/administration/audit-names.ts'
import type { CommandCall } from '#server/cli/command.ts'
import type { Deps } from '#server/deps.ts'
import type { Env } from '#server/env/env.ts'
import { removeDocumentAgain } from '#server/modules/identity/clear.ts'
import { deleteAgain } from '#server/modules/leaving/erase.ts'
import { openDeps } from '#server/open-deps.ts'
import { type Erasure, erasureOf, logErasure, readErasures } from '#server/services/backup/erasure-log.ts'
import type { Target } from './target.ts'

/** Opens everything that the environment configures, on a database that is closed to servers. */
export function openTarget(env: Env, target: Target): Promise<Deps> {
  const report = (error: unknown) => console.error(error)
  const lost = (isConnected: boolean, why?: unknown) => (isConnected ? undefined : report(why))
  return openDeps(env, { failed: report, redis: lost, realtime: lost }, () => target.open())
}

/** Lines of `backup erasures`. @throws TypeError for another line */
export async function erasuresIn(file: string | undefined): Promise<Erasure[]> {
  if (file === undefined) return []
  const lines = (await readFile(file, 'utf8')).split('\n').filter((it) => it !== '')
  return lines.map((line, at) => {
    const { is, id } = JSON.parse(line) as Partial<Record<'is' | 'id', unknown>>
    const it = erasureOf(`${String(is)}.${String(id)}`)
    if (!it) throw new TypeError(`${file}: line ${at + 1} is no erasure`)
    return it
  })
}

/** Adds the log of a file to the one in the stores. */
export async function importErasures({ storage }: Deps, file: string | undefined): Promise<void> {
  for (const it of await erasuresIn(file)) await logErasure(storage, it)
}

/** Deletes again what the log has, and writes it to the audit log. @param at the moment of the database, milliseconds since 1970 */
export async function repeatErasures(deps: Deps, at: number, print: CommandCall['print']): Promise<void> {
  let count = 0
  for await (const { is, id } of readErasures(deps.storage)) {
    const had = is === 'account' ? await deleteAgain(deps, id) : await removeDocumentAgain(deps, id)
    if (had) count += 1
  }
  print(`バックアップのあとに完全に削除されたアカウントと書類を、もう一度削除しました（${count}件）。`)
  const about = { subjectKind: 'storage', subjectId: NO_ID } as const
  await deps.audit({ actorId: NO_ID, act: 'backup.restore', ...about, ip: '', detail: { at, count } })
}
