// A clock in hand: time passes when a test says so, and what comes round comes round then.
import type { Every } from '#server/adapters/intervals.ts'

export interface ManualClock {
  /** Runs on as time does, from where it was put. */
  readonly clock: () => number
  readonly every: Every
  /** Lets time pass; then everything that comes round has its turn, and is waited for. */
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
