// The time of a video's frame, and the video's length (specification sections 7, 9).
import { expect, test } from 'vitest'
import { frameTime, shownPart, wholeSeconds } from './moment.ts'

test.each([
  [60, 2],
  [4, 2],
  [3, 1.5],
  [0, 0],
])('the frame of a video of %d s is taken at %d s', (duration, at) => {
  expect(frameTime(duration)).toBe(at)
})

test.each([
  [2.4, 2],
  [2.5, 3],
  [0.2, 1],
  [0, null],
  [Infinity, null],
  [NaN, null],
])('%d s are %s whole seconds', (duration, expected) => {
  expect(wholeSeconds(duration)).toBe(expected)
})

test('what an edit list hides is neither in the length nor in the frame of a video', () => {
  expect(shownPart({ first: -4.2, end: 5.8, indexed: 5.8 })).toEqual({ from: 0, length: 5.8 })
  expect(shownPart({ first: 0, end: 10, indexed: 4 })).toEqual({ from: 0, length: 4 })
  expect(shownPart({ first: 90, end: 95, indexed: null })).toEqual({ from: 90, length: 5 })
})
