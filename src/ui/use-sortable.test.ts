// Putting things in order: where everything lies while one thing is dragged, and the order afterwards.
import { expect, test } from 'vitest'
import { moved, roomFor } from './use-sortable.ts'

test('a thing moves to its new place and the others close up', () => {
  expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b'])
})

test('beyond the ends is at the ends', () => {
  expect(moved(['a', 'b', 'c'], 0, 9)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b', 'c'], 2, -4)).toEqual(['c', 'a', 'b'])
})

test('things between make room, the rest lies still', () => {
  expect([0, 1, 2, 3].map((i) => roomFor(i, { from: 0, to: 2 }))).toEqual([0, -1, -1, 0])
  expect([0, 1, 2, 3].map((i) => roomFor(i, { from: 3, to: 1 }))).toEqual([0, 1, 1, 0])
})
