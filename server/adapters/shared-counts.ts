// Opens the Redis of several servers, and the counts in it.
import type { Redis } from 'ioredis'
import { type Counts, createMemoryCounts, createSharedCounts } from './counts.ts'
import { connected, openRedis } from './redis.ts'

/** Opens counts in Redis if configured; an unreachable Redis is reported, and reconnected later. */
export async function openShared(
  url: string,
  report: (isConnected: boolean, why?: unknown) => void,
): Promise<{ counts?: Counts; redis?: Redis; close: () => void }> {
  if (url === '') return { close: () => undefined }
  const redis = openRedis(url)
  await connected(redis)
  return {
    redis,
    counts: createSharedCounts(redis, createMemoryCounts(Date.now), report),
    close: () => redis.disconnect(),
  }
}
