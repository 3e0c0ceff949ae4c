// The job that follows a release: media that failed while the post waited get another chance now that people look.
import type { Deps } from '#server/deps.ts'
import { retryFailedMediaOf } from '#server/store/media.ts'

export async function afterRelease(deps: Deps, postId: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    for (const mediaId of await retryFailedMediaOf(tx, postId))
      await deps.jobs.enqueue(tx, 'media.make', { mediaId })
  })
  deps.jobs.wake('media.make')
}
