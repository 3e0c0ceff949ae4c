// Which files of identity checks were sent to an admin whole (decision 120).
import type { AuditEntry } from '#contract/administration/audit-acts.ts'
import type { Deps } from '#server/deps.ts'
import { subjectsOf } from '#server/store/audit/entries.ts'
import type { Db } from '#server/store/database.ts'
import type { CheckFileRow } from '#server/store/identity/identity.ts'

/** The audit log is the record. @returns ids of those of the files that the admin was shown */
export const shownFiles = (
  db: Db,
  adminId: string,
  files: readonly Pick<CheckFileRow, 'id'>[],
): Promise<Set<string>> =>
  subjectsOf(
    db,
    { actorId: adminId, act: 'identity.shown' },
    files.map((it) => it.id),
  )

/** Writes, once for each admin, that a file was shown. */
export async function recordShown(
  { db, audit }: Pick<Deps, 'db' | 'audit'>,
  file: CheckFileRow,
  by: Pick<AuditEntry, 'actorId' | 'ip'>,
): Promise<void> {
  if ((await shownFiles(db, by.actorId, [file])).has(file.id)) return
  const detail = { check: file.checkId, part: file.part }
  await audit({ ...by, act: 'identity.shown', subjectKind: 'identity_file', subjectId: file.id, detail })
}

/**
 * The same bytes. `done` ends before the last of them: a reader who has all finds its effect, and one who left earlier, or a
 * source that fails, has none.
 */
export async function* beforeLastByte(
  bytes: AsyncIterable<Buffer>,
  done: () => Promise<void>,
): AsyncGenerator<Buffer, void> {
  let held: Buffer | undefined
  for await (const piece of bytes) {
    if (piece.length === 0) continue
    if (held) yield held
    held = piece
  }
  if (!held) return
  if (held.length > 1) yield held.subarray(0, -1)
  await done()
  yield held.subarray(-1)
}
