// Opens the Redis of several servers, with the counts and the locks in it.
import type { Redis } from 'ioredis'
import { type Counts, createMemoryCounts, createSharedCounts } from './counts.ts'
import { SharedUploadLocks } from './files/shared-upload-locks.ts'
import type { UploadLocks } from './files/upload-locks.ts'
import { connected, openRedis } from './redis.ts'

type Shared =
  | { readonly counts: Counts; readonly uploadLocks: UploadLocks; readonly redis: Redis }
  | { readonly counts?: undefined; readonly uploadLocks?: undefined; readonly redis?: undefined }

/** Opens what servers share in Redis if configured; an unreachable Redis is reported, and reconnected later. */
export async function openShared(
  url: string,
  report: (isConnected: boolean, why?: unknown) => void,
): Promise<Shared & { readonly close: () => void }> {
  if (url === '') return { close: () => undefined }
  const redis = openRedis(url)
  const subscriber = openRedis(url)
  await connected(redis)
  return {
    redis,
    counts: createSharedCounts(redis, createMemoryCounts(Date.now), report),
    uploadLocks: new SharedUploadLocks(redis, subscriber),
    close() {
      subscriber.disconnect()
      redis.disconnect()
    },
  }
}
