// Deleted posts: hidden at once, emptied of their words and files when nobody has to look into them any more.
import type { Deps } from '#server/deps.ts'
import { emptyDeleted, listDeletedWhole } from '#server/store/posts/own-posts.ts'

/** How long a deleted post is kept for whoever has to look into a report, ms. */
export const DELETED_LIFE = 30 * 24 * 3600 * 1000

export async function emptyDeletedPosts({ db, jobs, clock }: Deps): Promise<void> {
  for (const postId of await listDeletedWhole(db, clock() - DELETED_LIFE))
    await db.transaction(async (tx) => {
      for (const mediaId of await emptyDeleted(tx, postId))
        await jobs.enqueue(tx, 'media.remove', { mediaId })
    })
  jobs.wake('media.remove')
}
