// What this app expects of TanStack Virtual beyond its documentation: a version that differs fails here.
import { Virtualizer } from '@tanstack/react-virtual'
import { expect, test } from 'vitest'
import { startOf } from './virtual-internals.ts'

function rows(sizes: readonly number[]) {
  const virtualizer = new Virtualizer<Element, Element>({
    count: sizes.length,
    estimateSize: (index) => sizes[index] ?? 0,
    scrollMargin: 10,
    initialRect: { width: 100, height: 50 },
    getScrollElement: () => null,
    observeElementRect: () => undefined,
    observeElementOffset: () => undefined,
    scrollToFn: () => undefined,
  })
  virtualizer.getTotalSize()
  return virtualizer
}

test('a row begins below the margin and the rows before it, shown or not', () => {
  const virtualizer = rows([100, 200, 300])
  expect([0, 1, 2].map((index) => startOf(virtualizer, index))).toEqual([10, 110, 310])
})

test('a row is moved by the measured size of one before it', () => {
  const virtualizer = rows([100, 200, 300])
  virtualizer.resizeItem(0, 150)
  virtualizer.getTotalSize()
  expect(startOf(virtualizer, 2)).toBe(360)
})

test('there is no place for a row that is not there', () => {
  expect(startOf(rows([100]), 1)).toBeUndefined()
  expect(startOf(rows([100]), -1)).toBeUndefined()
})
