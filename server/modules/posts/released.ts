// Job after a release: retries the conversion of media that failed before it.
import type { Deps } from '#server/deps.ts'
import { queueOf } from '#server/store/jobs.ts'
import { retryFailedMediaOf } from '#server/store/media/media.ts'

export async function afterRelease(deps: Deps, postId: string): Promise<void> {
  await deps.transaction(async ({ tx, enqueue }) => {
    for (const { id, kind } of await retryFailedMediaOf(tx, postId))
      await enqueue(queueOf(kind), { mediaId: id })
  })
}
