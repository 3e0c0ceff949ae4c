// useRows: virtualizes the rows of a long list and restores its scroll position.
import {
  defaultRangeExtractor,
  observeWindowRect,
  useWindowVirtualizer,
  windowScroll,
  type Range,
} from '@tanstack/react-virtual'
import {
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type RefObject,
} from 'react'
import { rowStart } from './virtual-internals.ts'
import { positionOf, type ListPosition } from './scroll-positions.ts'

export interface RowSize {
  readonly key: string
  /** Its estimated height until it is measured, CSS pixels. */
  readonly estimate: number
}

/** Rows drawn beyond each edge of the screen; fewer before the first scroll. */
const SPARE = { still: 1, moving: 3 } as const
/** Number of screens below the visible one for which posts are requested in advance. */
const AHEAD = 3
/** Number of rows that are drawn one per frame, since all at once block a phone for 0.5 s. */
const FIRST = 6

interface Options {
  name: string
  returns: boolean
}

export function useRows<Box extends HTMLElement = HTMLDivElement>(
  rows: readonly RowSize[],
  { name, returns }: Options,
) {
  const list = useRef<Box>(null)
  const [top, setTop] = useState<number>()
  const [focused, setFocused] = useState<string>()
  const place = positionOf(name, document.documentElement.clientWidth)
  const keys = rows.map((it) => it.key)
  // A return into the middle of the list needs its position in the first frame.
  const [atOnce] = useState(place.anchor !== undefined)
  const allowed = useAllowed(atOnce)
  const moved = useMoved(atOnce)
  const focusedIndex = focused === undefined ? -1 : keys.indexOf(focused)
  // The React compiler is not used, so nothing here is memoized.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: rows.length,
    getItemKey: (i) => keys[i] ?? i,
    estimateSize: (i) => place.heights.get(keys[i] ?? '') ?? rows[i]?.estimate ?? 0,
    overscan: moved ? SPARE.moving : SPARE.still,
    scrollMargin: top ?? 0,
    ...(atOnce ? {} : watchLater),
    // The row with the keyboard focus stays while the list scrolls.
    rangeExtractor: (range: Range) => withFocused(defaultRangeExtractor(range), focusedIndex),
  })
  useTop(list, setTop, atOnce)
  useAnchor(virtualizer, place, keys, top, returns)
  const measure = useCallback(
    (element: HTMLElement | null) => {
      virtualizer.measureElement(element)
      const key = element?.dataset['key']
      if (element && key !== undefined) place.heights.set(key, element.offsetHeight)
    },
    [virtualizer, place],
  )
  const total = virtualizer.getTotalSize()
  const below = total + (top ?? 0) - (virtualizer.scrollOffset ?? 0)
  return {
    list,
    measure,
    total,
    /** Whether the loaded rows end soon; false while the first rows are drawn. */
    nearEnd: allowed > FIRST && below < (AHEAD + 1) * (virtualizer.scrollRect?.height ?? 0),
    shown: virtualizer
      .getVirtualItems()
      .slice(0, allowed)
      .map(({ index, key, start }) => ({ index, key: String(key), start: start - (top ?? 0) })),
    onFocus: ({ target }: FocusEvent) =>
      setFocused(target.closest<HTMLElement>('[data-key]')?.dataset['key']),
  }
}

/**
 * Number of rows that may be drawn: none at first, then one more per frame, then all. Each step yields to input. A
 * return into the middle draws all at once.
 */
function useAllowed(atOnce: boolean): number {
  const [allowed, setAllowed] = useState(atOnce ? Number.POSITIVE_INFINITY : 0)
  useEffect(() => {
    if (allowed === Number.POSITIVE_INFINITY) return undefined
    const next = allowed < FIRST ? allowed + 1 : Number.POSITIVE_INFINITY
    const frame = requestAnimationFrame(() => startTransition(() => setAllowed(next)))
    return () => cancelAnimationFrame(frame)
  }, [allowed])
  return allowed
}

const moves = ['scroll', 'wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Whether the person has begun to scroll; before that fewer rows are drawn. */
function useMoved(already: boolean): boolean {
  const [moved, setMoved] = useState(already)
  useEffect(() => {
    if (moved) return undefined
    const stop = new AbortController()
    const note = () => startTransition(() => setMoved(true))
    for (const it of moves) window.addEventListener(it, note, { passive: true, signal: stop.signal })
    return () => stop.abort()
  }, [moved])
  return moved
}

function withFocused(indexes: number[], held: number): number[] {
  if (held < 0 || indexes.includes(held)) return indexes
  return [...indexes, held].sort((a, b) => a - b)
}

/** Runs `watch` after the browser's own layout, since measuring before it causes a second one. */
function afterLayout(watch: () => void | (() => void)): () => void {
  let stop: void | (() => void)
  const first = new IntersectionObserver(() => {
    first.disconnect()
    stop = watch()
  })
  first.observe(document.documentElement)
  return () => {
    first.disconnect()
    stop?.()
  }
}

type WindowRows = Parameters<typeof useWindowVirtualizer<HTMLElement>>[0]

const watchLater: Pick<WindowRows, 'observeElementRect' | 'scrollToFn'> = {
  observeElementRect: (rows, notify) => afterLayout(() => observeWindowRect(rows, notify)),
  // Before the window's size is measured, the library would scroll the page to its own position.
  scrollToFn: (offset, options, rows) => {
    if (rows.scrollRect?.height) windowScroll(offset, options, rows)
  },
}

/**
 * Measures the distance of the list from the top of the page. Observers report changes after layout; measuring during
 * rendering would cause a second layout.
 */
function useTop(list: RefObject<HTMLElement | null>, setTop: (top: number) => void, atOnce: boolean): void {
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const look = () => setTop(Math.round(element.getBoundingClientRect().top + window.scrollY))
    if (atOnce) look()
    const watch = new ResizeObserver(look)
    for (let around = element.parentElement; around; around = around.parentElement) watch.observe(around)
    return () => watch.disconnect()
  }, [list, setTop, atOnce])
}

type Virtualizer = ReturnType<typeof useWindowVirtualizer<HTMLElement>>

/** Holds the position of the row at the top, after another page and when rows are added above. */
function useAnchor(
  virtualizer: Virtualizer,
  place: ListPosition,
  keys: readonly string[],
  top: number | undefined,
  returns: boolean,
): void {
  const order = keys.join()
  const shownOrder = useRef<string | undefined>(undefined)
  // The first layout restores the position; later changes of the rows hold it.
  useLayoutEffect(() => {
    if (top === undefined || shownOrder.current === order) return
    const first = shownOrder.current === undefined
    shownOrder.current = order
    if (first && !returns) return
    const anchor = place.anchor
    const index = anchor ? keys.indexOf(anchor.key) : -1
    const start = rowStart(virtualizer, index)
    if (anchor && start !== undefined) window.scrollTo({ top: start + anchor.over, behavior: 'instant' })
    else if (first) window.scrollTo({ top: 0, behavior: 'instant' })
  }, [order, virtualizer, place, keys, top, returns])

  // A layout effect, so that scrolling by the next page is not recorded.
  useLayoutEffect(() => {
    if (top === undefined) return undefined
    const note = () => {
      const at = window.scrollY
      const row = virtualizer.getVirtualItemForOffset(at)
      // At the very top new rows are shown.
      place.anchor = row && at > top ? { key: String(row.key), over: at - row.start } : undefined
    }
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [virtualizer, place, top])
}
