// Combines runners of queues side by side: a like does not wait for a video.
import type { Runner } from './runner.ts'

/** One runner over several, each with its own lock and store. */
export function combineRunners(runners: readonly Runner[]): Runner {
  const all = async (work: (runner: Runner) => Promise<void>): Promise<void> => {
    await Promise.all(runners.map(work))
  }
  return {
    drain: () => all((it) => it.drain()),
    nudge: () => all((it) => it.nudge()),
    wake: () => {
      for (const it of runners) it.wake()
    },
    halt: () => {
      for (const it of runners) it.halt()
    },
    running: () => runners.some((it) => it.running()),
  }
}
