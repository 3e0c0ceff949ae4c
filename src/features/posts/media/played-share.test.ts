// The played part of a video.
import { expect, test } from 'vitest'
import { playedShare } from './played-share.ts'

const played = (...ranges: [number, number][]) => ({
  length: ranges.length,
  start: (i: number) => ranges[i]?.[0] ?? 0,
  end: (i: number) => ranges[i]?.[1] ?? 0,
})

test.each([
  [100, played(), 0],
  [100, played([0, 90]), 0.9],
  [100, played([0, 40], [60, 100]), 0.8],
  // A seek to the end plays nothing of what is between.
  [100, played([0, 1], [99, 100]), 0.02],
  [100, played([0, 100.2]), 1],
  [Number.NaN, played([0, 5]), 0],
  [Number.POSITIVE_INFINITY, played([0, 5]), 0],
])('of a video of %d s the played part is computed from its ranges (%#)', (duration, ranges, share) => {
  expect(playedShare({ duration, played: ranges })).toBeCloseTo(share)
})
