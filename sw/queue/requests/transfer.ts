// One transfer of a media by the resumable protocol, which its requests share.
import { PROGRESS_EVERY } from '#contract/limits.ts'
import type { Media } from '#device/database/schema.ts'
import type { FileJob } from '#device/jobs/job-rows.ts'
import type { Carrier } from '#sw/queue/carrier.ts'
import type { Pace } from '#sw/queue/pace.ts'
import type { Clock, OnProgress, QueueStore } from '#sw/queue/ports.ts'
import type { Caller } from './request.ts'

export interface TusDeps extends Caller {
  store: QueueStore
  pace: Pace
  /** Where uploads are created, absolute. */
  endpoint: string
  /** The browser's own uploads; absent where there are none. */
  carrier?: Carrier
}

export interface Transfer {
  job: FileJob
  media: Media
  /** Resume there; null creates the upload. */
  url: string | null
  onProgress: OnProgress
  signal: AbortSignal
}

/**
 * Writes progress while the next request is sent, one write at a time. Offsets are written at most once per interval, and
 * the last one at the end: a lost offset can be requested again.
 */
export function createProgressWriter(
  store: OnProgress,
  clock: Pick<Clock, 'now'>,
): { write: OnProgress; flush(): Promise<void> } {
  let writing = Promise.resolve()
  let writtenAt = -Infinity
  let latest: { offset: number } | undefined
  return {
    write: async (progress) => {
      if ('offset' in progress && clock.now() - writtenAt < PROGRESS_EVERY) {
        latest = progress
        return
      }
      await writing
      latest = undefined
      if ('offset' in progress) writtenAt = clock.now()
      writing = store(progress)
      // The rejection is thrown before the next write, or at the end.
      writing.catch(() => undefined)
    },
    async flush() {
      await writing
      if (latest) await store(latest)
    },
  }
}
