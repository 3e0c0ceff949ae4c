// The end of a chart's axis, and its ticks.
import { expect, test } from 'vitest'
import { axisEnd, tickedBars } from './scale.ts'

test.each([
  [[], 2],
  [[0, 0], 2],
  [[1], 2],
  [[3], 4],
  [[5], 6],
  [[7, 2], 10],
  [[10], 10],
  [[11], 20],
  [[21], 40],
  [[45], 50],
  [[51, 99], 100],
  [[101], 200],
  [[480_000], 500_000],
])('the axis of %j ends at %d', (values, end) => {
  expect(axisEnd(values)).toBe(end)
})

test.each([
  [0, []],
  [1, [0]],
  [7, [0, 1, 2, 3, 4, 5, 6]],
  [12, [1, 3, 5, 7, 9, 11]],
  [28, [3, 7, 11, 15, 19, 23, 27]],
  [90, [11, 24, 37, 50, 63, 76, 89]],
])('of %d bars these have a tick', (count, ticked) => {
  expect(tickedBars(count)).toEqual(ticked)
})
