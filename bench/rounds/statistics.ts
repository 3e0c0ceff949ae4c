// Minimum, median and maximum of the values of several rounds.

/** What is known of the values of several rounds; earlier results kept the median only. */
export interface Spread {
  readonly min?: number | undefined
  readonly median: number
  readonly max?: number | undefined
}

/** The middle value; of an even number of values, the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  if (values.length === 0) throw new Error('there is no median of no values')
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted.length >> 1
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 1 ? upper : upper - 1], sorted[upper]]
  return (low + high) / 2
}

/** @param values at least one */
export const spreadOf = (values: readonly number[]): Spread => ({
  min: Math.min(...values),
  median: medianOf(values),
  max: Math.max(...values),
})

const SIGNIFICANT = 4

/** The value with four significant digits: what is stored of a measurement. */
export const rounded = (value: number): number => Number(value.toPrecision(SIGNIFICANT))

/** The value as a page shows it, with two or three digits that count. */
export function shown(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

/** `min, median, max`, or the median alone where no more is known or all are the same. */
export function shownSpread({ min, median, max }: Spread): string {
  if (min === undefined || max === undefined || min === max) return shown(median)
  return [min, median, max].map(shown).join(', ')
}
