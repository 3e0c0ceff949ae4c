// The job that follows a release: media that failed while the post waited get another chance now that people look.
import type { Deps } from '#server/deps.ts'
import { queueOf } from '#server/store/jobs.ts'
import { retryFailedMediaOf } from '#server/store/media/media.ts'

export async function afterRelease(deps: Deps, postId: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    for (const { id, kind } of await retryFailedMediaOf(tx, postId))
      await deps.jobs.enqueue(tx, queueOf(kind), { mediaId: id })
  })
  for (const kind of ['image', 'video'] as const) deps.jobs.wake(queueOf(kind))
}
