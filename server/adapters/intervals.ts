// Runs recurring work by timers; tests run it by a manual clock.

/** Repeats work every `ms` until the returned function is called. It does not keep the process alive. */
export type Every = (ms: number, work: () => void | Promise<void>) => () => void

/** Repeats by a timer, which does not wait for earlier work to end. */
export const everyNow: Every = (ms, work) => {
  const timer = setInterval(() => void work(), ms)
  timer.unref()
  return () => clearInterval(timer)
}
