// useSortable: reorders a row by dragging, with mouse, pen or finger.
import { useEffect, useRef, useState, type PointerEvent as ReactPointerEvent, type RefObject } from 'react'

/** A mouse that moved this far is dragging, px. */
const SLACK = 5
/** A finger that rests this long is dragging; one that moves before that is scrolling, ms. */
const HOLD = 220
/** Near the row's ends it scrolls by itself, px. */
const EDGE = 48

interface Drag {
  id: string
  from: number
  to: number
  /** How far the thing is from where it lay, px. */
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

/** The order after moving the thing at `from` to `to`. */
export function moved<T>(all: readonly T[], from: number, to: number): T[] {
  const next = [...all]
  next.splice(Math.min(all.length - 1, Math.max(0, to)), 0, ...next.splice(from, 1))
  return next
}

/** How far a thing lies from its place while another is dragged: it makes room by one step. */
export function roomFor(index: number, drag: Pick<Drag, 'from' | 'to'>): -1 | 0 | 1 {
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

/** Where things lie in a row as a press begins. */
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

/** The drag after the pointer moved to `x`; the row scrolls where that is near one of its ends. */
function followed(drag: Drag, start: Start, list: HTMLElement, x: number): Drag {
  const box = list.getBoundingClientRect()
  if (x > box.right - EDGE) list.scrollLeft += 8
  if (x < box.left + EDGE) list.scrollLeft -= 8
  const by = x - start.x + (list.scrollLeft - start.scrolled)
  const centre = (start.centres[drag.from] ?? 0) + by
  return { ...drag, by, to: nearest(start.centres, centre) }
}

/** Keeps the page still under a dragging finger, and gives the drag up at Escape. */
function useDocumentDuring(dragging: boolean, onEscape: () => void): void {
  useEffect(() => {
    if (!dragging) return undefined
    const still = (event: TouchEvent) => event.preventDefault()
    const giveUp = (event: KeyboardEvent) => event.key === 'Escape' && onEscape()
    document.addEventListener('touchmove', still, { passive: false })
    document.addEventListener('keydown', giveUp)
    return () => {
      document.removeEventListener('touchmove', still)
      document.removeEventListener('keydown', giveUp)
    }
  })
}

/**
 * @param row the scrolling row; its children with `data-sortable` are the things, in the order of `ids`
 * @param onMove called once, when a thing was let go elsewhere
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

  function end(keep: boolean) {
    clearTimeout(hold.current)
    start.current = undefined
    if (drag && keep && drag.to !== drag.from) onMove(drag.from, drag.to)
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
        }, HOLD)
      },
      onPointerMove(event: ReactPointerEvent<HTMLElement>) {
        const from = start.current
        if (!from || from.id !== id) return
        if (drag) {
          if (row.current) setDrag(followed(drag, from, row.current, event.clientX))
          return
        }
        const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > SLACK
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
