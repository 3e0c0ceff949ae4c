// Removes texts and files of deleted posts after 30 days, and of kept ones.
import { KEPT_MS } from '#contract/payments/bought.ts'
import type { Deps } from '#server/deps.ts'
import { refundRemovedPost } from '#server/services/payments/lost-posts.ts'
import { markFinal } from '#server/store/moderation/measures.ts'
import { endKept, listKeptOver, lockRemoved } from '#server/store/posts/kept.ts'
import { emptyDeleted, listDeletedWhole } from '#server/store/posts/own-posts.ts'

const DAY_MS = 24 * 3600_000
/** How long the text and files of a deleted post are stored, for open reports, ms. */
export const DELETED_LIFE = 30 * DAY_MS
/** Posts of one sweep. */
const MOST = 500

/** One post that fails does not stop the others. */
export async function emptyDeletedPosts(deps: Deps): Promise<void> {
  const { db, transaction, clock } = deps
  const failures: unknown[] = []
  for (const it of await listDeletedWhole(db, clock() - DELETED_LIFE))
    await emptyDeletedPost(deps, it).catch((error: unknown) => failures.push(error))
  const over = new Date(clock() - KEPT_MS)
  for (const postId of await listKeptOver(db, over, MOST))
    await transaction(async ({ tx, enqueue }) => {
      for (const mediaId of await endKept(tx, postId, clock())) await enqueue('media.remove', { mediaId })
    })
  if (failures.length > 0) throw new AggregateError(failures, 'posts could not be emptied')
}

/** Those who bought a post that staff removed get their money back before it cannot be restored any more. */
async function emptyDeletedPost(
  deps: Deps,
  { id, deletedAt }: { readonly id: string; readonly deletedAt: Date },
): Promise<void> {
  const { transaction, clock } = deps
  await transaction(async ({ tx }) => {
    if (await lockRemoved(tx, id, deletedAt))
      await markFinal(tx, { targetKind: 'post', targetId: id }, clock())
  })
  await refundRemovedPost(deps, { postId: id, removedAt: deletedAt.getTime() })
  await transaction(async ({ tx, enqueue }) => {
    if (!(await lockRemoved(tx, id, deletedAt))) return
    for (const mediaId of await emptyDeleted(tx, id)) await enqueue('media.remove', { mediaId })
  })
}
