// Parsing of Range headers.
import { expect, test } from 'vitest'
import { requestedRange } from './byte-range.ts'

const part = (start: number, end: number) => ({ is: 'part', start, end })
const whole = { is: 'whole' }
const nothing = { is: 'nothing' }

test.each([
  [undefined, whole],
  ['bytes=0-', part(0, 1000)],
  ['bytes=0-1', part(0, 2)],
  ['bytes=999-', part(999, 1000)],
  ['bytes=10-19', part(10, 20)],
  ['bytes=900-5000', part(900, 1000)],
  ['bytes=-100', part(900, 1000)],
  ['bytes=-5000', part(0, 1000)],
  ['bytes=1000-', nothing],
  ['bytes=5000-6000', nothing],
  ['bytes=-0', nothing],
  ['bytes=20-10', whole],
  ['bytes=-', whole],
  ['bytes=0-1,5-6', whole],
  ['bytes=a-b', whole],
  ['bytes=1e2-', whole],
  ['items=0-1', whole],
  ['bytes=99999999999999999999-', whole],
])('%s of 1000 bytes', (header, expected) => {
  expect(requestedRange(header, 1000, '"a"', undefined)).toEqual(expected)
})

test('a range with the tag of another file gives the whole file', () => {
  expect(requestedRange('bytes=10-', 1000, '"a"', '"a"')).toEqual(part(10, 1000))
  expect(requestedRange('bytes=10-', 1000, '"a"', '"b"')).toEqual(whole)
})

test('an empty file has no range', () => {
  expect(requestedRange('bytes=0-', 0, '"a"', undefined)).toEqual(nothing)
})
