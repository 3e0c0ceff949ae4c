// The moment of a video's thumbnail, and its length (specification sections 7 and 9).
import { expect, test } from 'vitest'
import { momentIn, wholeSeconds } from './moment.ts'

test.each([
  [60, 2],
  [4, 2],
  [3, 1.5],
  [0, 0],
])('in %d s the picture is taken at %d s', (duration, at) => {
  expect(momentIn(duration)).toBe(at)
})

test.each([
  [2.4, 2],
  [2.5, 3],
  [0.2, 1],
  [0, null],
  [Infinity, null],
  [NaN, null],
])('%d s are %s whole seconds', (duration, said) => {
  expect(wholeSeconds(duration)).toBe(said)
})
