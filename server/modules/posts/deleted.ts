// Deleted posts: hidden at once; texts and files are removed when no report needs them any more.
import type { Deps } from '#server/deps.ts'
import { emptyDeleted, listDeletedWhole } from '#server/store/posts/own-posts.ts'

/** How long a deleted post is stored for open reports, ms. */
export const DELETED_LIFE = 30 * 24 * 3600 * 1000

export async function emptyDeletedPosts({ db, transaction, clock }: Deps): Promise<void> {
  for (const postId of await listDeletedWhole(db, clock() - DELETED_LIFE))
    await transaction(async ({ tx, enqueue }) => {
      for (const mediaId of await emptyDeleted(tx, postId)) await enqueue('media.remove', { mediaId })
    })
}
