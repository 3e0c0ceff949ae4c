// Limits how often a function runs, such as reading after live events.

/** Runs `work` at most once in `ms`; calls within that time cause one further run. */
export function createCallLimiter(ms: number, work: () => void): { call: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const run = () => {
    work()
    again = false
    timer = setTimeout(() => {
      timer = undefined
      if (again) run()
    }, ms)
  }
  return {
    call: () => (timer === undefined ? run() : (again = true)),
    cancel: () => clearTimeout(timer),
  }
}
