// A clock that tests advance, together with its recurring work.
import type { Every } from '#server/adapters/intervals.ts'

export interface ManualClock {
  /** The time; it continues to run from the moment to which it was set. */
  readonly clock: () => number
  readonly every: Every
  /** Advances the time, then runs all recurring work that is due, and waits for it. */
  pass(ms: number): Promise<void>
}

export function manualClock(): ManualClock {
  let ahead = 0
  const works = new Set<() => void | Promise<void>>()
  return {
    clock: () => Date.now() + ahead,
    every(_ms, work) {
      works.add(work)
      return () => void works.delete(work)
    },
    async pass(ms) {
      ahead += ms
      for (const work of works) await work()
    },
  }
}
