// How late the event loop is, from the sums of its monitor second by second.

export interface Lateness {
  /**
   * Ends a second.
   * @param sum lateness of all timers since the monitor began, ms
   * @param count number of these timers
   */
  end(sum: number, count: number): void
  /** The monitor begins from zero. */
  reset(): void
  /** Mean lateness of the better one of the last two seconds, ms: one long turn of the loop is no overload. */
  late(): number
}

export function createLateness(): Lateness {
  let before = { sum: 0, count: 0 }
  let seconds: readonly [number, number] = [0, 0]
  return {
    end(sum, count) {
      const timers = count - before.count
      // Without a timer in a second nothing is known; a loop that is stuck ends no second either.
      if (timers > 0) seconds = [seconds[1], Math.max(0, (sum - before.sum) / timers)]
      before = { sum, count }
    },
    reset: () => void (before = { sum: 0, count: 0 }),
    late: () => Math.min(...seconds),
  }
}
