// Opens Redis connections, whose commands fail fast and which reconnect.
import { Redis } from 'ioredis'

/** Timeout of a command, ms. */
const COMMAND_TIMEOUT = 300
/** Longest delay between reconnects, ms. */
const RECONNECT_DELAY = 2000

/**
 * Opens a connection; an unreachable Redis is not an error.
 * @param url redis://… or rediss://…
 */
export function openRedis(url: string): Redis {
  const redis = new Redis(url, {
    connectTimeout: 5000,
    commandTimeout: COMMAND_TIMEOUT,
    maxRetriesPerRequest: 0,
    // Without a connection a command fails at once instead of waiting for one.
    enableOfflineQueue: false,
    retryStrategy: (tries) => Math.min(tries * 100, RECONNECT_DELAY),
  })
  // Each command's failure is handled by its caller; without a listener the library prints every one.
  redis.on('error', () => undefined)
  return redis
}

/** Waits until Redis is connected, at most for `ms`. @returns whether it is */
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

/** What the machine page asks of Redis. */
export interface RedisState {
  ping(): Promise<void>
  version(): Promise<string | null>
}

export const stateOf = (redis: Redis): RedisState => ({
  async ping() {
    await redis.ping()
  },
  version: async () => /^redis_version:(\S{1,40})/m.exec(await redis.info('server'))?.[1] ?? null,
})
