// Whether the component that began a slow operation is still mounted.
import { useEffect, useRef } from 'react'

/** Hook: whether the component that called it is still in the page, at any later time. */
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
