// Counters with a time window: in this process, or in a Redis that several servers share.
import type { Redis } from 'ioredis'

export interface Count {
  /** How many times in the window that runs. */
  readonly current: number
  /** Until the window ends, ms. */
  readonly ttl: number
}

/** A window begins with the first time something is counted, and ends by itself. */
export interface Counts {
  /** @param window ms */
  add(key: string, window: number): Promise<Count>
  /** One time less in the window that runs, if one does. */
  takeBack(key: string): Promise<void>
  forget(key: string): Promise<void>
}

/** Keys remembered at most, so that counting costs no more memory than this. The one longest untouched goes first. */
const MOST = 50_000

/** Counts of this process alone. @param clock ms since 1970 */
export function createMemoryCounts(clock: () => number, most = MOST): Counts {
  const windows = new Map<string, { current: number; readonly ends: number }>()
  return {
    async add(key, window) {
      const now = clock()
      const known = windows.get(key)
      const next =
        known && known.ends > now
          ? { current: known.current + 1, ends: known.ends }
          : { current: 1, ends: now + window }
      // Set again, it is last.
      windows.delete(key)
      windows.set(key, next)
      const [oldest] = windows.keys()
      if (windows.size > most && oldest !== undefined) windows.delete(oldest)
      return { current: next.current, ttl: next.ends - now }
    },
    async takeBack(key) {
      const known = windows.get(key)
      if (known && known.current > 0) known.current -= 1
    },
    async forget(key) {
      windows.delete(key)
    },
  }
}

const PREFIX = 'todoke:count:'

/** One step, so that a server which ends between two leaves no count that never ends. */
const ADD = `
local current = redis.call('INCR', KEYS[1])
if current == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { current, redis.call('PTTL', KEYS[1]) }
`

const TAKE_BACK = `
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
`

/**
 * Counts shared by all servers on one Redis. While Redis does not reply, each server counts for itself: no request is
 * refused because of it, and password guessing stays limited.
 * @param told called once when Redis is lost, with the reason, and once when it is back
 */
export function createSharedCounts(
  redis: Redis,
  own: Counts,
  told: (isThere: boolean, why?: unknown) => void,
): Counts {
  let isThere = true
  async function ask<T>(shared: () => Promise<T>, alone: () => Promise<T>): Promise<T> {
    try {
      const answer = await shared()
      if (!isThere) told((isThere = true))
      return answer
    } catch (error) {
      if (isThere) told((isThere = false), error)
      return alone()
    }
  }
  return {
    add: (key, window) =>
      ask(
        async () => {
          const said = (await redis.eval(ADD, 1, PREFIX + key, window)) as [number, number]
          return { current: said[0], ttl: said[1] }
        },
        () => own.add(key, window),
      ),
    takeBack: (key) =>
      ask(
        async () => void (await redis.eval(TAKE_BACK, 1, PREFIX + key)),
        () => own.takeBack(key),
      ),
    forget: (key) =>
      ask(
        async () => void (await redis.del(PREFIX + key)),
        () => own.forget(key),
      ),
  }
}
