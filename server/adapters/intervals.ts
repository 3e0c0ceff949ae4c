// Recurring work: by the clock, or by hand in tests.

/** Repeats work, this many ms apart, until it is stopped. It does not keep the process alive. */
export type Every = (ms: number, work: () => void | Promise<void>) => () => void

/** The next turn waits for its time, not for the turn before: what takes longer says so itself. */
export const everyNow: Every = (ms, work) => {
  const timer = setInterval(() => void work(), ms)
  timer.unref()
  return () => clearInterval(timer)
}
