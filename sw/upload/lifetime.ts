// Keeps the worker alive while it delivers: short overlapping events, driven by the worker, answered by open pages.
import type { Runner } from './drain.ts'

/** Pages are asked this often while a delivery runs, ms. */
const TICK_MS = 10_000
/** No event is held longer than this, ms: browsers cut those that are. */
const HOLD_MS = 25_000

export interface Lifetime {
  /** Drains, and holds the event that asked for it for a while. */
  hold(): Promise<void>
  /** Drains and holds until the queue is empty: for sync events, whose early return would count as success. */
  holdAll(): Promise<void>
}

/**
 * @param runner the queue of this worker
 * @param tick asks every open page for an answer
 * @param report what to do with a surprise: the run ended by a defect or a broken database
 */
export function makeLifetime(
  runner: Runner,
  tick: () => Promise<void>,
  report: (error: unknown) => void,
): Lifetime {
  let ticking: ReturnType<typeof setInterval> | undefined

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
    hold: () =>
      Promise.race([run().catch(report), new Promise<void>((resolve) => setTimeout(resolve, HOLD_MS))]),
    // A rejection makes the browser try the sync again.
    holdAll: run,
  }
}
