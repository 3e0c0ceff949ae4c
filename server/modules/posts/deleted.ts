// Removes texts and files of posts that were deleted 30 days ago.
import type { Deps } from '#server/deps.ts'
import { markFinal } from '#server/store/moderation/measures.ts'
import { emptyDeleted, listDeletedWhole } from '#server/store/posts/own-posts.ts'

/** How long the text and files of a deleted post are stored, for open reports, ms. */
export const DELETED_LIFE = 30 * 24 * 3600 * 1000

export async function emptyDeletedPosts({ db, transaction, clock }: Deps): Promise<void> {
  for (const postId of await listDeletedWhole(db, clock() - DELETED_LIFE))
    await transaction(async ({ tx, enqueue }) => {
      for (const mediaId of await emptyDeleted(tx, postId)) await enqueue('media.remove', { mediaId })
      await markFinal(tx, { targetKind: 'post', targetId: postId }, clock())
    })
}
