// The rows of a long list in a page that scrolls as a whole: which are drawn, where, and the restored one.
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
import { rowStart } from '#src/lib/virtual-internals.ts'
import { positionOf, type ListPosition } from '#src/lib/scroll-positions.ts'

export interface RowSize {
  readonly key: string
  /** Its estimated height until it is measured, CSS pixels. */
  readonly rough: number
}

/** Rows beyond each edge of the screen: fast scrolling shows no gap. One, before the first scroll. */
const SPARE = { still: 1, moving: 3 } as const
/** Screens below the visible one that are requested ahead, so that scrolling is not interrupted. */
const AHEAD = 3
/** Rows that are drawn one after another, a frame each: all at once would hold a phone up for half a second. */
const FIRST = 6

interface Options {
  name: string
  returns: boolean
}

export function useRows(rows: readonly RowSize[], { name, returns }: Options) {
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState<number>()
  const [focused, setFocused] = useState<string>()
  const place = positionOf(name, document.documentElement.clientWidth)
  const keys = rows.map((it) => it.key)
  // On a return into the middle, the position is right from the first frame on.
  const [atOnce] = useState(place.anchor !== undefined)
  const allowed = useAllowed(atOnce)
  const moved = useMoved(atOnce)
  const held = focused === undefined ? -1 : keys.indexOf(focused)
  // We run without the compiler: nothing here is memoized.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: rows.length,
    getItemKey: (i) => keys[i] ?? i,
    estimateSize: (i) => place.heights.get(keys[i] ?? '') ?? rows[i]?.rough ?? 0,
    overscan: moved ? SPARE.moving : SPARE.still,
    scrollMargin: top ?? 0,
    ...(atOnce ? {} : watchLater),
    // The row with the keyboard focus stays while the list scrolls.
    rangeExtractor: (range: Range) => withHeld(defaultRangeExtractor(range), held),
  })
  useTop(list, setTop, atOnce)
  useAnchor(virtualizer, place, keys, top, returns)
  const measure = useCallback(
    (element: HTMLDivElement | null) => {
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
    /** What is there ends soon. Not while the first rows are being drawn: what is seen comes before what follows it. */
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
 * Number of rows that may be drawn by now: none with the page around them, then one more in each frame, then all. Each
 * step yields to input. A return into the middle gets all at once, and so its position.
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

/** Whether the person has begun to scroll: rows that are never reached are not drawn. */
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

function withHeld(indexes: number[], held: number): number[] {
  if (held < 0 || indexes.includes(held)) return indexes
  return [...indexes, held].sort((a, b) => a - b)
}

/** Begins once the browser has laid the page out by itself: to ask it for a size before makes it do so twice. */
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

type WindowRows = Parameters<typeof useWindowVirtualizer<HTMLDivElement>>[0]

const watchLater: Pick<WindowRows, 'observeElementRect' | 'scrollToFn'> = {
  observeElementRect: (rows, tell) => afterLayout(() => observeWindowRect(rows, tell)),
  // At the very first, before the window's size is known, it would scroll the page to its own position.
  scrollToFn: (offset, options, rows) => {
    if (rows.scrollRect?.height) windowScroll(offset, options, rows)
  },
}

/**
 * Distance of the list from the top of the page. The content above may grow; the browser reports that after layout,
 * while reading it at each drawing would cause a second layout.
 */
function useTop(
  list: RefObject<HTMLDivElement | null>,
  setTop: (top: number) => void,
  atOnce: boolean,
): void {
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

type Virtualizer = ReturnType<typeof useWindowVirtualizer<HTMLDivElement>>

/** The row at the top of the screen keeps its place: over a stay on another page, and when rows come above it. */
function useAnchor(
  virtualizer: Virtualizer,
  place: ListPosition,
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
    const start = rowStart(virtualizer, index)
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
