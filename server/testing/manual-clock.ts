// A clock that tests advance, together with its recurring work.
import type { Every } from '#server/adapters/intervals.ts'

export interface ManualClock {
  /** The current time, which also runs by itself; ms. */
  readonly clock: () => number
  readonly every: Every
  /** Advances the time, then runs all recurring work that is due, and waits for it. */
  advance(ms: number): Promise<void>
}

export function manualClock(): ManualClock {
  let ahead = 0
  const callbacks = new Set<() => void | Promise<void>>()
  return {
    clock: () => Date.now() + ahead,
    every(_ms, work) {
      callbacks.add(work)
      return () => void callbacks.delete(work)
    },
    async advance(ms) {
      ahead += ms
      for (const work of callbacks) await work()
    },
  }
}
