// When a refused read is sent again.
import { expect, test } from 'vitest'
import { waitBeforeRepeat } from './repeated-reads.ts'

const facts = { now: Date.parse('2026-11-29T00:00:00Z'), random: 0.5, patience: 15_000 }
const response = (status: number, headers: Record<string, string> = {}) => ({
  status,
  body: '',
  header: (name: string) => headers[name],
})

test.each([408, 409, 425, 429, 500, 502, 503, 504])('after %d it is, within half a second', (status) => {
  expect(waitBeforeRepeat(response(status), facts)).toBe(250)
  expect(waitBeforeRepeat(response(status), { ...facts, random: 0 })).toBe(100)
})

test.each([200, 304, 400, 401, 403, 404, 410, 413, 422, 501, 507])('after %d it is not', (status) => {
  expect(waitBeforeRepeat(response(status, { 'Retry-After': '1' }), facts)).toBeUndefined()
})

test('after Retry-After, in seconds or as a date by the clock of the server', () => {
  expect(waitBeforeRepeat(response(503, { 'Retry-After': '7' }), facts)).toBe(7000)
  const dates = { 'Retry-After': 'Sun, 29 Nov 2026 10:00:09 GMT', Date: 'Sun, 29 Nov 2026 10:00:00 GMT' }
  expect(waitBeforeRepeat(response(503, dates), facts)).toBe(9000)
  expect(waitBeforeRepeat(response(503, { 'Retry-After': 'soon' }), facts)).toBe(250)
})

test('a wait longer than the patience is not begun', () => {
  expect(waitBeforeRepeat(response(429, { 'Retry-After': '15' }), facts)).toBe(15_000)
  expect(waitBeforeRepeat(response(429, { 'Retry-After': '16' }), facts)).toBeUndefined()
})
