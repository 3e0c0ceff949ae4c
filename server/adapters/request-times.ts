// Times of requests by route, as histograms of the last hour in memory.
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

export interface RouteTimes {
  /** Method and pattern; it has no ids. */
  readonly route: string
  readonly count: number
  /** ms. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

export interface RequestTimes {
  /** @param ms from the arrival of the request to the end of its reply */
  record(route: string, ms: number): void
  /** The slowest routes of the last 45 to 60 minutes, by p99, then by the longest request. */
  slowest(limit: number): RouteTimes[]
}

/** Length of a window, ms. Four of them are an hour, of which the present one may have just begun. */
const WINDOW = 15 * 60_000
const WINDOWS = 4
/** Longest time that is recorded as it is, ms; longer ones count as this. */
const LONGEST = 600_000
/** Two digits are exact: a histogram then takes 20 KB, and the routes of this server some MB. */
const histogram = () => createHistogram({ lowest: 1, highest: LONGEST, figures: 2 })

/** @param clock milliseconds that go on by themselves */
export function createRequestTimes(clock: () => number = () => performance.now()): RequestTimes {
  const windows: { readonly index: number; readonly routes: Map<string, RecordableHistogram> }[] = []
  const current = () => {
    const index = Math.floor(clock() / WINDOW)
    while (windows[0] && windows[0].index <= index - WINDOWS) windows.shift()
    const last = windows.at(-1)
    if (last?.index === index) return last
    const next = { index, routes: new Map<string, RecordableHistogram>() }
    windows.push(next)
    return next
  }
  return {
    record(route, ms) {
      const { routes } = current()
      const known = routes.get(route) ?? histogram()
      routes.set(route, known)
      known.record(Math.min(Math.max(Math.round(ms), 1), LONGEST))
    },
    slowest(limit) {
      current()
      const sums = new Map<string, RecordableHistogram>()
      for (const { routes } of windows)
        for (const [route, times] of routes) {
          const sum = sums.get(route) ?? histogram()
          sum.add(times)
          sums.set(route, sum)
        }
      return [...sums]
        .map(([route, it]) => ({
          route,
          count: it.count,
          p50: it.percentile(50),
          p95: it.percentile(95),
          p99: it.percentile(99),
          max: it.max,
        }))
        .toSorted((a, b) => b.p99 - a.p99 || b.max - a.max || (a.route < b.route ? -1 : 1))
        .slice(0, limit)
    },
  }
}
