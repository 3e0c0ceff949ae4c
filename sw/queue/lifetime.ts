// Keeps the worker alive while it delivers, by short overlapping events that open pages answer.
import type { Runner } from './runner.ts'

/** Interval of the messages to open pages while a delivery runs, ms. */
const TICK_MS = 10_000
/** Longest time that one event is held, ms: browsers end longer ones. */
const HOLD_MS = 25_000
/** How long a worker that yielded starts no run, ms; it continues unless another version has started. */
const ASIDE_MS = 10_000

export interface Lifetime {
  /** Drains, and holds the event that started the run for a while. */
  extend(): Promise<void>
  /** Drains and holds until the queue is empty: for sync events, whose early return would count as success. */
  extendUntilEmpty(): Promise<void>
  /** Stops the run and releases every event: the next version cannot start while one is held. */
  endEvents(): void
}

/**
 * @param runner the queue of this worker
 * @param tick requests an answer from every open page
 * @param report called with the error of a run that a defect or a broken database ended
 */
export function createLifetime(
  runner: Runner,
  tick: () => Promise<void>,
  report: (error: unknown) => void,
): Lifetime {
  let ticking: ReturnType<typeof setInterval> | undefined
  let aside: ReturnType<typeof setTimeout> | undefined
  let letGo = () => {}
  let released = newRelease()

  function newRelease(): Promise<void> {
    return new Promise((resolve) => (letGo = resolve))
  }

  async function run(): Promise<void> {
    ticking ??= setInterval(() => void tick(), TICK_MS)
    try {
      await runner.drain()
    } finally {
      if (!runner.running()) {
        clearInterval(ticking)
        ticking = undefined
      }
    }
  }

  return {
    extend: async () => {
      if (aside !== undefined) return
      const enough = new Promise<void>((resolve) => setTimeout(resolve, HOLD_MS))
      await Promise.race([run().catch(report), enough, released])
    },
    // A rejection makes the browser try the sync again.
    extendUntilEmpty: async () => {
      if (aside === undefined) await Promise.race([run(), released])
      if (aside !== undefined) throw new Error('another version takes over')
    },
    endEvents: () => {
      clearTimeout(aside)
      aside = setTimeout(() => {
        aside = undefined
        released = newRelease()
      }, ASIDE_MS)
      runner.halt()
      letGo()
    },
  }
}
