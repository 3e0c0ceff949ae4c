// Makes the media that were refused while no sandbox worked.
import type { Deps } from '#server/deps.ts'
import { queueOf } from '#server/store/jobs.ts'
import { retryUnconfinedMedia } from '#server/store/media/media.ts'
import { listRequestedLadders } from '#server/store/media/video-turns.ts'

/** How often a worker without jobs tests a sandbox that does not work, ms. */
const LOOK_EVERY = 60_000

async function makeRefused({ transaction }: Deps): Promise<void> {
  await transaction(async ({ tx, enqueue }) => {
    for (const { id, kind } of await retryUnconfinedMedia(tx)) await enqueue(queueOf(kind), { mediaId: id })
    for (const mediaId of await listRequestedLadders(tx)) await enqueue('media.ladder', { mediaId })
  })
}

/** Makes refused media once a sandbox works, such as one that is installed while the worker runs. */
export function followSandbox(deps: Deps, onError: (error: unknown) => void): void {
  const { mediaSandbox, every } = deps
  if (!mediaSandbox) return
  mediaSandbox.onChange(({ state }) => {
    if (state === 'bubblewrap') void makeRefused(deps).catch(onError)
  })
  if (mediaSandbox.found().state === 'bubblewrap') return
  const stop = every(LOOK_EVERY, async () => {
    if ((await mediaSandbox.find()) === 'bubblewrap') stop()
  })
}
