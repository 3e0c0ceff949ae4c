// Whether the component that began a slow operation is still mounted.
import { useEffect, useRef } from 'react'

/** Returns a function that is true while the component is mounted. */
export function useStillShown(): () => boolean {
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  return () => shown.current
}
