// The deletion after seven days. The next sweep continues an interrupted one.
import type { Deps } from '#server/deps.ts'
import { departed } from '#server/rules/departed.ts'
import { eraseRows, findErased, listOwnFiles, type OwnFiles } from '#server/store/accounts/erasure.ts'
import { beginDeletion, listDue } from '#server/store/accounts/leaving.ts'

/** Deletes every account whose days are over; one that fails keeps none of the others waiting. */
export async function eraseDue(deps: Deps): Promise<void> {
  const failures: unknown[] = []
  for (const userId of await listDue(deps.db, deps.clock())) {
    await deps.database
      .exclusively(`leaving ${userId}`, () => eraseAlone(deps, userId))
      .catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'accounts could not be deleted')
}

/**
 * First it can no longer be cancelled; then the files are removed, listed by their rows; then all rows at once, with
 * the email: an interrupted deletion is found by its own row, which is removed last.
 */
async function eraseAlone(deps: Deps, userId: string): Promise<void> {
  const { db, clock, transaction, outbox } = deps
  if (!(await transaction(({ tx }) => beginDeletion(tx, userId, clock())))) return
  if (!(await removeFiles(deps, await listOwnFiles(db, userId)))) return
  await transaction(async ({ tx, email }) => {
    const who = await findErased(tx, userId)
    if (!who) return
    await outbox.removeAllTo(tx, who.email)
    await eraseRows(tx, userId, who.email, departed(userId), clock())
    await email(who, { is: 'deleted' })
  })
}

/**
 * @returns false when a file is being processed: its results would be written afterwards
 */
async function removeFiles(deps: Deps, own: OwnFiles): Promise<boolean> {
  const { files } = deps
  for (const id of own.uploads) if (!(await removeMedia(deps, id))) return false
  for (const id of own.identity) await files.remove(files.sealedPath(id))
  for (const id of own.exports) if (!(await removeZip(deps, id))) return false
  return true
}

async function removeZip({ database, files }: Deps, id: string): Promise<boolean> {
  const turn = await database.exclusively(`export ${id}`, () => files.remove(files.exportPath(id)))
  return turn === 'done'
}

async function removeMedia({ database, files }: Deps, id: string): Promise<boolean> {
  let gone = false
  await database.exclusively(`media ${id}`, async () => {
    const turn = await database.exclusively(`ladder ${id}`, async () => {
      await files.remove(files.uploadPath(id))
      await files.remove(files.mediaFolder(id))
    })
    gone = turn === 'done'
  })
  return gone
}
