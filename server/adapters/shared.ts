// Opens the Redis of several servers: its counts, locks and topics.
import { type Counts, createMemoryCounts, createSharedCounts } from './counts.ts'
import { SharedUploadLocks } from './files/shared-upload-locks.ts'
import type { UploadLocks } from './files/upload-locks.ts'
import { connected, loggable, openRedis, type RedisClient } from './redis.ts'
import { openTopics, type Topics } from './topics/topics.ts'

interface Shared {
  readonly counts: Counts
  readonly uploadLocks: UploadLocks
  readonly redis: RedisClient
  readonly topics: Topics
  close(): void
}

/**
 * Opens what servers share in Redis if configured; an unreachable Redis is reported, and reconnected later.
 * @returns undefined for an empty URL
 */
export async function openShared(
  url: string,
  report: (isConnected: boolean, why?: unknown) => void,
): Promise<Shared | undefined> {
  if (url === '') return undefined
  const redis = openRedis(url)
  const topics = openTopics(url, redis)
  await connected(redis)
  return {
    redis,
    topics,
    counts: createSharedCounts(redis, createMemoryCounts(Date.now), (isAvailable, why) =>
      report(isAvailable, loggable(why)),
    ),
    uploadLocks: new SharedUploadLocks(redis, topics),
    close() {
      topics.close()
      redis.disconnect()
    },
  }
}
