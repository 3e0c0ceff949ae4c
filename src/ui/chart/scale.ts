// The axis of a chart: its end, and which bars have a tick.

const STEPS = [1, 2, 4, 5, 10] as const

/**
 * The end of an axis from 0: the smallest round number that is not below any value, and whose half is whole.
 * @param values 0 or more
 * @returns 2 or more
 */
export function axisEnd(values: readonly number[]): number {
  const most = Math.max(2, ...values)
  const power = 10 ** Math.floor(Math.log10(most))
  const end = (STEPS.find((it) => it * power >= most) ?? 10) * power
  return end % 2 === 0 ? end : end + 1
}

/** At most eight bars with a tick, at equal distances, among them the last one. */
export function tickedBars(count: number): number[] {
  const step = Math.ceil(count / 7)
  return Array.from({ length: count }, (_, i) => i).filter((i) => (count - 1 - i) % step === 0)
}
