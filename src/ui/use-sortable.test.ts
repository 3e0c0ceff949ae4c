// The positions of items during a drag, and their order after it.
import { expect, test } from 'vitest'
import { moved, shiftOf } from './use-sortable.ts'

test('an item moves to its new index and the others close the gap', () => {
  expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b'])
})

test('an index beyond an end is limited to the end', () => {
  expect(moved(['a', 'b', 'c'], 0, 9)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b', 'c'], 2, -4)).toEqual(['c', 'a', 'b'])
})

test('items between both indexes are shifted, the others are not', () => {
  expect([0, 1, 2, 3].map((i) => shiftOf(i, { from: 0, to: 2 }))).toEqual([0, -1, -1, 0])
  expect([0, 1, 2, 3].map((i) => shiftOf(i, { from: 3, to: 1 }))).toEqual([0, 1, 1, 0])
})
