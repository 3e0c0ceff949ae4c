// Undocumented behaviour of TanStack Virtual that this app needs.
import { Virtualizer } from '@tanstack/react-virtual'
import { expect, test } from 'vitest'
import { rowStart } from './virtual-internals.ts'

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

test('a row begins below the margin and all rows before it, drawn or not', () => {
  const virtualizer = rows([100, 200, 300])
  expect([0, 1, 2].map((index) => rowStart(virtualizer, index))).toEqual([10, 110, 310])
})

test('a row is moved by the measured size of an earlier row', () => {
  const virtualizer = rows([100, 200, 300])
  virtualizer.resizeItem(0, 150)
  virtualizer.getTotalSize()
  expect(rowStart(virtualizer, 2)).toBe(360)
})

test('a row that does not exist has no position', () => {
  expect(rowStart(rows([100]), 1)).toBeUndefined()
  expect(rowStart(rows([100]), -1)).toBeUndefined()
})
