// Recurring work: by the clock, or by hand in tests.

/** Does a piece of work again and again, this many ms apart, until stopped. It keeps no process alive. */
export type Every = (ms: number, work: () => void | Promise<void>) => () => void

/** The next turn waits for its time, not for the turn before: what takes longer says so itself. */
export const everyNow: Every = (ms, work) => {
  const timer = setInterval(() => void work(), ms)
  timer.unref()
  return () => clearInterval(timer)
}
