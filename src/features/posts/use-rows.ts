// The rows of a long list in a page that scrolls as a whole: which of them stand, where, and where one was.
import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef, useState, type FocusEvent, type RefObject } from 'react'
import { placeOf, type ListPlace } from '#src/lib/list-places.ts'

export interface RowSize {
  readonly key: string
  /** How tall it will be, CSS pixels, as long as nobody has measured it. */
  readonly rough: number
}

/** Rows that stand beyond each edge of the screen: a flick shows no gap. */
const SPARE = 3

interface Options {
  name: string
  returns: boolean
}

export function useRows(rows: readonly RowSize[], { name, returns }: Options) {
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState<number>()
  const [focused, setFocused] = useState<string>()
  const place = placeOf(name, document.documentElement.clientWidth)
  const keys = rows.map((it) => it.key)
  const held = focused === undefined ? -1 : keys.indexOf(focused)
  // We run without the compiler: nothing here is memoized.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: rows.length,
    getItemKey: (i) => keys[i] ?? i,
    estimateSize: (i) => place.heights.get(keys[i] ?? '') ?? rows[i]?.rough ?? 0,
    overscan: SPARE,
    scrollMargin: top ?? 0,
    // Whoever moves through the page by keyboard does not lose the place to the scroll.
    rangeExtractor: (range: Range) => withHeld(defaultRangeExtractor(range), held),
  })
  useTop(list, top, setTop)
  useAnchor(virtualizer, place, keys, top, returns)
  const measure = useCallback(
    (element: HTMLDivElement | null) => {
      virtualizer.measureElement(element)
      const key = element?.dataset['key']
      if (element && key !== undefined) place.heights.set(key, element.offsetHeight)
    },
    [virtualizer, place],
  )
  return {
    list,
    measure,
    total: virtualizer.getTotalSize(),
    shown: virtualizer
      .getVirtualItems()
      .map(({ index, key, start }) => ({ index, key: String(key), start: start - (top ?? 0) })),
    onFocus: ({ target }: FocusEvent) =>
      setFocused(target.closest<HTMLElement>('[data-key]')?.dataset['key']),
  }
}

function withHeld(indexes: number[], held: number): number[] {
  if (held < 0 || indexes.includes(held)) return indexes
  return [...indexes, held].sort((a, b) => a - b)
}

/** How far the list stands below the top of the page. What stands above it may grow. */
function useTop(
  list: RefObject<HTMLDivElement | null>,
  top: number | undefined,
  setTop: (top: number) => void,
): void {
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const now = Math.round(element.getBoundingClientRect().top + window.scrollY)
    if (now !== top) setTop(now)
  })
}

type Virtualizer = ReturnType<typeof useWindowVirtualizer<HTMLDivElement>>

/** The row at the top of the screen keeps its place: over a stay on another page, and when rows come above it. */
function useAnchor(
  virtualizer: Virtualizer,
  place: ListPlace,
  keys: readonly string[],
  top: number | undefined,
  returns: boolean,
): void {
  const order = keys.join()
  const seen = useRef<string | undefined>(undefined)
  // The first layout places; each change of the rows after it holds what is seen.
  useLayoutEffect(() => {
    if (top === undefined || seen.current === order) return
    const first = seen.current === undefined
    seen.current = order
    if (first && !returns) return
    const anchor = place.anchor
    const index = anchor ? keys.indexOf(anchor.key) : -1
    const start = virtualizer.measurementsCache[index]?.start
    if (anchor && start !== undefined) window.scrollTo({ top: start + anchor.over, behavior: 'instant' })
    else if (first) window.scrollTo({ top: 0, behavior: 'instant' })
  }, [order, virtualizer, place, keys, top, returns])

  // Gone with the list itself: what the next page does to the scroll is not noted.
  useLayoutEffect(() => {
    if (top === undefined) return undefined
    const note = () => {
      const at = window.scrollY
      const row = virtualizer.getVirtualItemForOffset(at)
      // At the very top one wants to see what comes.
      place.anchor = row && at > top ? { key: String(row.key), over: at - row.start } : undefined
    }
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [virtualizer, place, top])
}
