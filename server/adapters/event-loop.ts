// Measures how long the event loop is blocked, and how busy it is.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { createLateness } from './lateness.ts'

/** How late timers were, ms, within the last window. */
export interface LoopDelay {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** The windows of the last five minutes. */
export interface LoopMinutes {
  /** The median of the windows' p50, and the highest of their p99 and max, ms. */
  readonly delay: LoopDelay
  /** Part of the time that the loop was busy, 0 to 1. */
  readonly utilisation: number
}

export interface EventLoop {
  /** The last complete window; before the first one ends, what was measured so far. */
  delay(): LoopDelay
  minutes(): LoopMinutes
  /** Mean lateness of the last seconds, ms; above a limit, requests are refused. */
  late(): number
  close(): void
}

/** Interval of the monitor's timers, ms. */
const RESOLUTION = 10
const SECOND = 1000
/** Length of a window, ms. */
const WINDOW = 10_000
/** Remembered windows: five minutes. */
const WINDOWS = 30

/** Starts to measure. Its timers do not keep the process alive. */
export function openEventLoop(): EventLoop {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION })
  histogram.enable()
  const ms = (ns: number) => Math.max(0, Math.round(ns / 1e5) / 10 - RESOLUTION)
  const read = (): LoopDelay =>
    histogram.count === 0
      ? { p50: 0, p99: 0, max: 0 }
      : { p50: ms(histogram.percentile(50)), p99: ms(histogram.percentile(99)), max: ms(histogram.max) }
  const past: LoopDelay[] = []
  /** The utilisation at the beginning of each remembered window, and of the present one. */
  const begun = [performance.eventLoopUtilization()]
  const lateness = createLateness()
  const seconds = setInterval(() => {
    const { count, mean } = histogram
    if (count > 0) lateness.end((mean / 1e6 - RESOLUTION) * count, count)
  }, SECOND)
  seconds.unref()
  const timer = setInterval(() => {
    past.push(read())
    begun.push(performance.eventLoopUtilization())
    if (past.length > WINDOWS) {
      past.shift()
      begun.shift()
    }
    histogram.reset()
    lateness.reset()
  }, WINDOW)
  timer.unref()
  return {
    delay() {
      const [now, last] = [read(), past.at(-1)]
      if (!last) return now
      // A delay of the current window shows at once.
      return { p50: last.p50, p99: last.p99, max: Math.max(last.max, now.max) }
    },
    minutes() {
      const all = [...past, read()]
      const medians = all.map((it) => it.p50).toSorted((a, b) => a - b)
      return {
        delay: {
          p50: medians[Math.floor(medians.length / 2)] ?? 0,
          p99: Math.max(...all.map((it) => it.p99)),
          max: Math.max(...all.map((it) => it.max)),
        },
        utilisation: performance.eventLoopUtilization(performance.eventLoopUtilization(), begun[0])
          .utilization,
      }
    },
    late: lateness.late,
    close() {
      clearInterval(seconds)
      clearInterval(timer)
      histogram.disable()
    },
  }
}
