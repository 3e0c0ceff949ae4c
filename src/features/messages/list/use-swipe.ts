// useSwipe: moves a row to the side by a finger, beside its acts.
import { useEffect, useRef, useState, type MouseEvent, type PointerEvent } from 'react'
import { beginSwipe, moveSwipe, offsetOf, type Side, sideAfter, type Swipe, type Widths } from './swipe.ts'

/** From this edge of the screen iOS itself swipes back, CSS pixels. */
const EDGE = 24

interface Options {
  readonly widths: Widths
  /** Whether this row is the one that shows acts; another one closes it. */
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}

export function useSwipe({ widths, isOpen, onOpen }: Options) {
  const swipe = useRef<Swipe>(undefined)
  const [side, setSide] = useState<Side>()
  const [moved, setMoved] = useState<number>()
  const shownSide = isOpen ? side : undefined
  const offset = moved ?? offsetOf(shownSide, widths)
  useCloseOutside(isOpen, onOpen)

  function finish(next: Side | undefined) {
    swipe.current = undefined
    setMoved(undefined)
    setSide(next)
    if (next !== undefined || isOpen) onOpen(next !== undefined)
  }
  function release() {
    const it = swipe.current
    swipe.current = undefined
    if (it?.is === 'swiping') finish(sideAfter(it, widths))
  }
  const wasSwiped = useRef(false)
  return {
    offset,
    isMoving: moved !== undefined,
    /** The side whose acts are in the document. */
    shows: offset > 0 ? ('start' as const) : offset < 0 ? ('end' as const) : undefined,
    close: () => finish(undefined),
    row: {
      onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y, timeStamp: at }: PointerEvent) {
        wasSwiped.current = false
        if (pointerType === 'mouse' || !isPrimary || x < EDGE) return
        swipe.current = beginSwipe({ x, y, at }, offset)
      },
      onPointerMove({ pointerId, currentTarget, clientX: x, clientY: y, timeStamp: at }: PointerEvent) {
        if (!swipe.current) return
        swipe.current = moveSwipe(swipe.current, { x, y, at }, widths)
        if (swipe.current.is !== 'swiping') return
        wasSwiped.current = true
        currentTarget.setPointerCapture(pointerId)
        setMoved(swipe.current.offset)
      },
      onPointerUp: release,
      // The browser has begun to scroll.
      onPointerCancel: () => finish(shownSide),
      onClickCapture(event: MouseEvent) {
        if (!wasSwiped.current && !isOpen) return
        // The end of a swipe opens nothing, and a press on a moved row moves it back.
        event.preventDefault()
        event.stopPropagation()
        if (!wasSwiped.current) finish(undefined)
        wasSwiped.current = false
      },
    },
  }
}

/** A press elsewhere, scrolling and Escape close the acts. */
function useCloseOutside(isOpen: boolean, onOpen: (isOpen: boolean) => void): void {
  const close = useRef(() => {})
  useEffect(() => {
    close.current = () => onOpen(false)
  })
  useEffect(() => {
    if (!isOpen) return undefined
    const stop = new AbortController()
    const options = { passive: true, signal: stop.signal }
    const press = ({ target }: Event) => {
      if (!(target instanceof Element && target.closest('[data-swiped]'))) close.current()
    }
    document.addEventListener('pointerdown', press, options)
    window.addEventListener('scroll', () => close.current(), options)
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && close.current(), options)
    return () => stop.abort()
  }, [isOpen])
}
