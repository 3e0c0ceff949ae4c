// Deletes accounts seven days after the request. The next sweep continues an interrupted deletion.
import { KEPT_MS } from '#contract/payments/bought.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { removeAll } from '#server/services/backup/kept-objects.ts'
import { logErasure } from '#server/services/backup/erasure-log.ts'
import { keepPayee } from '#server/services/people/departed-payee.ts'
import { endMembershipsOf } from '#server/services/memberships/stop.ts'
import { eraseRows, findErased, listOwnFiles, type OwnFiles } from '#server/store/accounts/erasure.ts'
import { beginDeletion, demandDeletion, listDue } from '#server/store/accounts/leaving.ts'
import { refundRemovedPost } from '#server/services/payments/lost-posts.ts'
import { listKeptFor, listRemovedBought } from '#server/store/posts/kept.ts'

/** Deletes every account whose deletion is due. One that fails does not stop the others. */
export async function deleteDueAccounts(deps: Deps): Promise<void> {
  const failures: unknown[] = []
  for (const userId of await listDue(deps.db, deps.clock())) {
    await deps.database
      .exclusively(`leaving ${userId}`, () => deleteAccount(deps, userId))
      .catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'accounts could not be deleted')
}

/**
 * Deletes one account: the deletion can no longer be cancelled, the log of erasures has it, running memberships end, the files that the rows name are removed, and one
 * transaction deletes the rows and enqueues the email. The deletion's own row goes last, so that an interrupted one is
 * found again.
 */
async function deleteAccount(deps: Deps, userId: string, isSilent = false): Promise<void> {
  const { db, clock, transaction, outbox } = deps
  if (!(await transaction(({ tx }) => beginDeletion(tx, userId, clock())))) return
  await logErasure(deps.storage, { is: 'account', id: userId })
  await endMembershipsOf(deps, userId)
  // They are emptied now, and cannot be restored any more.
  for (const { id, deletedAt } of await listRemovedBought(db, userId))
    await refundRemovedPost(deps, { postId: id, removedAt: deletedAt.getTime() })
  const ownFiles = await listOwnFiles(db, userId)
  if (!(await removeFiles(deps, ownFiles))) return
  await transaction(async ({ tx, email }) => {
    const owner = await findErased(tx, userId)
    if (!owner) return
    // A refund meanwhile may have ended what a buyer could read: the next sweep removes its files first.
    const known = new Set(ownFiles.uploads.map((it) => it.id))
    if ((await listOwnFiles(tx, userId)).uploads.some((it) => !known.has(it.id))) return
    if (!isSilent) await tellBuyers({ tx, email }, { id: userId, name: owner.name }, clock())
    await outbox.removeAllTo(tx, owner.email)
    const money = await keepPayee(deps, tx, { id: userId, email: owner.email })
    await eraseRows(tx, { id: userId, email: owner.email }, clock())
    if (!isSilent) await email(owner, { is: 'deleted', ...(money && { money }) })
  })
}

/** Emails those who have bought posts of an account how long they can read them. */
async function tellBuyers(
  { tx, email }: Pick<Unit, 'tx' | 'email'>,
  owner: { readonly id: string; readonly name: string },
  now: number,
): Promise<void> {
  const until = now + KEPT_MS
  for (const { count, ...buyer } of await listKeptFor(tx, owner.id))
    await email(buyer, { is: 'bought_kept', creator: owner.name, count, until })
}

/**
 * Deletes an account again that a restored backup has, without another email to its person.
 * @returns false when the backup does not have it, or has it deleted
 */
export async function deleteAgain(deps: Deps, userId: string): Promise<boolean> {
  if (!(await deps.transaction(({ tx }) => demandDeletion(tx, userId, deps.clock())))) return false
  await deleteAccount(deps, userId, true)
  return true
}

/**
 * @returns false when a file is being processed: its results would be written afterwards
 */
async function removeFiles(deps: Deps, ownFiles: OwnFiles): Promise<boolean> {
  for (const it of ownFiles.uploads) if (!(await removeMedia(deps, it))) return false
  for (const id of ownFiles.identity) await deps.storage.objects.remove(`identity/${id}`, 'at_once')
  for (const key of ownFiles.waiting) await removeAll(deps.storage.objects, key)
  for (const id of ownFiles.exports) if (!(await removeZip(deps, id))) return false
  return true
}

async function removeZip({ database, storage: { objects } }: Deps, id: string): Promise<boolean> {
  const result = await database.exclusively(`export ${id}`, () =>
    objects.remove(`exports/${id}.zip`, 'at_once'),
  )
  return result === 'done'
}

async function removeMedia(
  { database, storage: { objects } }: Deps,
  { id, key }: OwnFiles['uploads'][number],
): Promise<boolean> {
  let isRemoved = false
  await database.exclusively(`media ${id}`, async () => {
    const result = await database.exclusively(`ladder ${id}`, async () => {
      await objects.remove(key, 'at_once')
      await objects.removeFolder(`media/${id}`, 'at_once')
    })
    isRemoved = result === 'done'
  })
  return isRemoved
}
