// Defers parts of the first page until the rest is drawn.
import { startTransition, useEffect, useState, type ReactNode } from 'react'

interface OpeningProps {
  /** Keeps the room. */
  meanwhile?: ReactNode
  children: ReactNode
}

function useRipe(atOnce: boolean): boolean {
  const [ripe, setRipe] = useState(atOnce)
  useEffect(() => {
    if (ripe) return undefined
    const frame = requestAnimationFrame(() => startTransition(() => setRipe(true)))
    return () => cancelAnimationFrame(frame)
  }, [ripe])
  return ripe
}

/** A reloaded page restores its scroll position: it needs its height from the start. */
function isReturn(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry instanceof PerformanceNavigationTiming && entry.type !== 'navigate'
}

/** Creates a part that is deferred on a visit's first page only. */
export function opening() {
  let opened = isReturn()
  return function Opened({ meanwhile, children }: OpeningProps) {
    const ripe = useRipe(opened)
    useEffect(() => {
      if (ripe) opened = true
    }, [ripe])
    return ripe ? children : meanwhile
  }
}

/**
 * For whole pages. The router draws a page in one go; for the first one no code is compiled yet, and a phone would be
 * blocked for long. Every later page is drawn at once: pictures are animated into it.
 */
export const Opening = opening()
