// The Redis connection: fails fast, and reconnects by itself.
import { Redis } from 'ioredis'

/** Longest wait for a count, ms. */
const PATIENCE = 300
/** A Redis that went away is looked for at least this often, ms. */
const LOOK_AGAIN = 2000

/**
 * Connects; a Redis that is not there (yet) is no failure.
 * @param url redis://… or rediss://…
 */
export function openRedis(url: string): Redis {
  const redis = new Redis(url, {
    connectTimeout: 5000,
    commandTimeout: PATIENCE,
    maxRetriesPerRequest: 0,
    // Without a connection a command fails at once instead of waiting for one.
    enableOfflineQueue: false,
    retryStrategy: (tries) => Math.min(tries * 100, LOOK_AGAIN),
  })
  // Each command's failure is handled by its caller; without a listener the library prints every one.
  redis.on('error', () => undefined)
  return redis
}

/** Until it is connected, for a start that counts in it from the first call on; gives up after a while. */
export async function connected(redis: Redis, ms = 2000): Promise<boolean> {
  if (redis.status === 'ready') return true
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    redis.once('ready', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
