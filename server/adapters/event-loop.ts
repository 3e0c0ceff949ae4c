// Measures how long the event loop is blocked.
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How late timers were, ms, within the last window. */
export interface LoopDelay {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export interface EventLoop {
  /** The last complete window; before the first one ends, what was measured so far. */
  delay(): LoopDelay
  close(): void
}

/** Interval of the monitor's timers, ms. */
const RESOLUTION = 10
/** Length of a window, ms. */
const WINDOW = 10_000

/** Starts to measure. Its timers do not keep the process alive. */
export function openEventLoop(): EventLoop {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION })
  histogram.enable()
  const ms = (ns: number) => Math.max(0, Math.round(ns / 1e5) / 10 - RESOLUTION)
  const read = (): LoopDelay =>
    histogram.count === 0
      ? { p50: 0, p99: 0, max: 0 }
      : { p50: ms(histogram.percentile(50)), p99: ms(histogram.percentile(99)), max: ms(histogram.max) }
  let last: LoopDelay | undefined
  const timer = setInterval(() => {
    last = read()
    histogram.reset()
  }, WINDOW)
  timer.unref()
  return {
    delay() {
      const now = read()
      if (!last) return now
      // A delay of the current window shows at once.
      return { p50: last.p50, p99: last.p99, max: Math.max(last.max, now.max) }
    },
    close() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
