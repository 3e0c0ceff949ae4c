// useSortable: reorders the items of a row by dragging.
import { useEffect, useRef, useState, type PointerEvent as ReactPointerEvent, type RefObject } from 'react'

/** Movement of a mouse after which it drags, px. */
const MIN_MOVE = 5
/** Rest of a finger after which it drags; an earlier movement scrolls, ms. */
const PRESS_MS = 220
/** Distance from the row's ends in which it scrolls automatically, px. */
const EDGE = 48

interface Drag {
  id: string
  from: number
  to: number
  /** Offset of the dragged item from its start, px. */
  by: number
}

interface Start {
  id: string
  x: number
  y: number
  scrolled: number
  centres: number[]
  touch: boolean
}

/** The order after moving the item at `from` to `to`. */
export function moved<T>(all: readonly T[], from: number, to: number): T[] {
  const next = [...all]
  next.splice(Math.min(all.length - 1, Math.max(0, to)), 0, ...next.splice(from, 1))
  return next
}

/** The shift of an item while another is dragged, in steps. */
export function shiftOf(index: number, drag: Pick<Drag, 'from' | 'to'>): -1 | 0 | 1 {
  if (index > drag.from && index <= drag.to) return -1
  if (index < drag.from && index >= drag.to) return 1
  return 0
}

function nearest(centres: readonly number[], x: number): number {
  let best = 0
  centres.forEach((centre, i) => {
    if (Math.abs(centre - x) < Math.abs((centres[best] ?? 0) - x)) best = i
  })
  return best
}

/** The positions of all items when a press begins. */
function startOf(id: string, list: HTMLElement, event: ReactPointerEvent<HTMLElement>): Start {
  const things = [...list.querySelectorAll<HTMLElement>('[data-sortable]')]
  return {
    id,
    x: event.clientX,
    y: event.clientY,
    scrolled: list.scrollLeft,
    centres: things.map((it) => it.offsetLeft + it.offsetWidth / 2),
    touch: event.pointerType === 'touch',
  }
}

/** The drag after the pointer moved to `x`; scrolls the row near its ends. */
function moveDrag(drag: Drag, start: Start, list: HTMLElement, x: number): Drag {
  const box = list.getBoundingClientRect()
  if (x > box.right - EDGE) list.scrollLeft += 8
  if (x < box.left + EDGE) list.scrollLeft -= 8
  const by = x - start.x + (list.scrollLeft - start.scrolled)
  const centre = (start.centres[drag.from] ?? 0) + by
  return { ...drag, by, to: nearest(start.centres, centre) }
}

/** Prevents scrolling during a drag, and cancels it at Escape. */
function useDocumentDuring(dragging: boolean, onEscape: () => void): void {
  useEffect(() => {
    if (!dragging) return undefined
    const still = (event: TouchEvent) => event.preventDefault()
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onEscape()
    document.addEventListener('touchmove', still, { passive: false })
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('touchmove', still)
      document.removeEventListener('keydown', onKey)
    }
  })
}

/**
 * @param row the scrolling row; its children with `data-sortable` are the items, in the order of `ids`
 * @param onMove called once, when an item was dropped at another index
 */
export function useSortable(
  row: RefObject<HTMLElement | null>,
  ids: readonly string[],
  onMove: (from: number, to: number) => void,
) {
  const [drag, setDrag] = useState<Drag>()
  const start = useRef<Start>(undefined)
  const hold = useRef<ReturnType<typeof setTimeout>>(undefined)
  useDocumentDuring(drag !== undefined, () => end(false))

  function begin(id: string) {
    const from = ids.indexOf(id)
    if (from >= 0) setDrag({ id, from, to: from, by: 0 })
  }

  function end(commit: boolean) {
    clearTimeout(hold.current)
    start.current = undefined
    if (drag && commit && drag.to !== drag.from) onMove(drag.from, drag.to)
    setDrag(undefined)
  }

  return {
    drag,
    handlers: (id: string) => ({
      onPointerDown(event: ReactPointerEvent<HTMLElement>) {
        const list = row.current
        if (event.button !== 0 || !list || ids.length < 2) return
        start.current = startOf(id, list, event)
        const { currentTarget, pointerId } = event
        if (!start.current.touch) return
        hold.current = setTimeout(() => {
          if (!start.current) return
          currentTarget.setPointerCapture(pointerId)
          begin(id)
        }, PRESS_MS)
      },
      onPointerMove(event: ReactPointerEvent<HTMLElement>) {
        const from = start.current
        if (!from || from.id !== id) return
        if (drag) {
          if (row.current) setDrag(moveDrag(drag, from, row.current, event.clientX))
          return
        }
        const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > MIN_MOVE
        if (!far) return
        if (from.touch) return end(false)
        event.currentTarget.setPointerCapture(event.pointerId)
        begin(id)
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
    }),
  }
}
