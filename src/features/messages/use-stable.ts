// useStable: a function with one identity for listeners outside React.
import { useEffect, useRef, useState } from 'react'

/** A function that stays the same and calls the newest one, for listeners outside React. */
export function useStable(work: () => void): () => void {
  const newest = useRef(work)
  useEffect(() => {
    newest.current = work
  })
  const [stable] = useState(() => () => newest.current())
  return stable
}
