// Limits how often a function runs.

/** Does it at most once in `ms`, and once more at the end when it was wanted meanwhile. */
export function createThrottle(ms: number, work: () => void): { want: () => void; stop: () => void } {
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
    want: () => (timer === undefined ? run() : (again = true)),
    stop: () => clearTimeout(timer),
  }
}
