// Counters with a time window, in this process or in a Redis of several servers.
import type { RedisCommands } from './redis.ts'

export interface Count {
  /** The count in the current window. */
  readonly current: number
  /** Time until the window ends, ms. */
  readonly ttl: number
}

/** Counts by key. A window begins with the first count and ends after its time. */
export interface Counts {
  /** @param window ms */
  add(key: string, window: number): Promise<Count>
  /** Subtracts one from the count of the current window, if there is one. */
  subtract(key: string): Promise<void>
  reset(key: string): Promise<void>
}

/** Stored keys, to bound the memory. Beyond these the longest unused one is removed. */
const MAX_KEYS = 50_000

/** Counts of this process ownCount. @param clock ms since 1970 */
export function createMemoryCounts(clock: () => number, maxKeys = MAX_KEYS): Counts {
  const windows = new Map<string, { current: number; readonly ends: number }>()
  return {
    async add(key, window) {
      const now = clock()
      const known = windows.get(key)
      const next =
        known && known.ends > now
          ? { current: known.current + 1, ends: known.ends }
          : { current: 1, ends: now + window }
      // Deleted and set again, so that it is the last in the order of keys.
      windows.delete(key)
      windows.set(key, next)
      const [oldest] = windows.keys()
      if (windows.size > maxKeys && oldest !== undefined) windows.delete(oldest)
      return { current: next.current, ttl: next.ends - now }
    },
    async subtract(key) {
      const known = windows.get(key)
      if (known && known.current > 0) known.current -= 1
    },
    async reset(key) {
      windows.delete(key)
    },
  }
}

const PREFIX = 'todoke:count:'

/** One atomic step: a server that dies between two steps would leave a count without expiry. */
const ADD = `
local current = redis.call('INCR', KEYS[1])
if current == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { current, redis.call('PTTL', KEYS[1]) }
`

const SUBTRACT = `
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
`

/**
 * Counts shared by all servers on one Redis. While Redis does not reply, each server counts for itself: no request is
 * refused because of it, and password guessing stays limited.
 * @param onChange called once when Redis is lost, with the error, and once when it is back
 */
export function createSharedCounts(
  redis: RedisCommands,
  own: Counts,
  onChange: (isAvailable: boolean, why?: unknown) => void,
): Counts {
  let isAvailable = true
  async function sharedOr<T>(shared: () => Promise<T>, ownCount: () => Promise<T>): Promise<T> {
    try {
      const result = await shared()
      if (!isAvailable) onChange((isAvailable = true))
      return result
    } catch (error) {
      if (isAvailable) onChange((isAvailable = false), error)
      return ownCount()
    }
  }
  return {
    add: (key, window) =>
      sharedOr(
        async () => {
          const reply = (await redis.eval(ADD, 1, PREFIX + key, window)) as [number, number]
          return { current: reply[0], ttl: reply[1] }
        },
        () => own.add(key, window),
      ),
    subtract: (key) =>
      sharedOr(
        async () => void (await redis.eval(SUBTRACT, 1, PREFIX + key)),
        () => own.subtract(key),
      ),
    reset: (key) =>
      sharedOr(
        async () => void (await redis.del(PREFIX + key)),
        () => own.reset(key),
      ),
  }
}
