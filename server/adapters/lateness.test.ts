// The lateness of the event loop by seconds, without load.
import { expect, test } from 'vitest'
import { createLateness } from './lateness.ts'

test('is the mean of a second once two seconds in a row are late', () => {
  const it = createLateness()
  it.end(100 * 3, 100)
  expect(it.late()).toBe(0)
  it.end(100 * 3 + 2 * 600, 102)
  expect(it.late()).toBe(3)
  it.end(100 * 3 + 4 * 600, 104)
  expect(it.late()).toBe(600)
  it.end(100 * 3 + 4 * 600, 204)
  expect(it.late()).toBe(0)
})

test('continues when the monitor begins from zero', () => {
  const it = createLateness()
  it.end(1000, 2)
  it.end(2000, 4)
  it.reset()
  it.end(1400, 2)
  expect(it.late()).toBe(500)
})

test('a second without a timer changes nothing', () => {
  const it = createLateness()
  it.end(1000, 2)
  it.end(2000, 4)
  it.end(2000, 4)
  expect(it.late()).toBe(500)
})
