// Opening: parts of a page that are drawn after the rest of it can be seen, giving way to what a person does.
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

/** A page that is loaded anew stands where it was scrolled to: it needs its height from the start. */
function isReturn(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry instanceof PerformanceNavigationTiming && entry.type !== 'navigate'
}

/** A part that is drawn after the rest of a visit's first page, and at once with every later one: it does not flicker. */
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
 * For the whole of a page. The router draws a page in one go; of the first one nothing is warm yet, and a phone hears
 * nobody meanwhile. Every later page is drawn at once: pictures move over into it.
 */
export const Opening = opening()
