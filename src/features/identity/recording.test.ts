// The course of a recording, and the problems of a camera.
import { expect, test } from 'vitest'
import { problemOf } from './camera.ts'
import { GESTURE_MS, COUNT_IN_MS, momentAt } from './recording.ts'

test('after a countdown of three seconds each gesture has its time, and then the recording ends', () => {
  const seen = [0, 999, 1001, 2999].map((it) => momentAt(it, 3))
  expect(seen).toEqual([3, 3, 2, 1].map((seconds) => ({ is: 'counting', seconds })))
  expect(momentAt(COUNT_IN_MS, 3)).toEqual({ is: 'performing', gesture: 0, seconds: 9 })
  expect(momentAt(COUNT_IN_MS + GESTURE_MS - 1, 3)).toMatchObject({ gesture: 0 })
  expect(momentAt(COUNT_IN_MS + GESTURE_MS, 3)).toMatchObject({ gesture: 1 })
  expect(momentAt(COUNT_IN_MS + 3 * GESTURE_MS - 1, 3)).toEqual({ is: 'performing', gesture: 2, seconds: 1 })
  expect(momentAt(COUNT_IN_MS + 3 * GESTURE_MS, 3)).toEqual({ is: 'over' })
})

test.each([
  ['NotAllowedError', 'denied'],
  ['SecurityError', 'denied'],
  ['NotFoundError', 'none'],
  ['OverconstrainedError', 'none'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
  ['TypeError', 'failed'],
])('%s from the camera means %s', (name, problem) => {
  expect(problemOf(new DOMException('', name))).toBe(problem)
})

test('anything else means that it failed', () => {
  expect(problemOf(new TypeError('no'))).toBe('failed')
})
