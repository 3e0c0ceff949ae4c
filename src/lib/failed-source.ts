// useFailedSource: which image failed to load, until it is tried again.
import { useEffect, useState } from 'react'

/**
 * @param src address of the image
 * @returns whether it failed, and the function that says so. It is tried again when the connection is back and when the
 *   page becomes visible
 */
export function useFailedSource(src: string | null | undefined): [boolean, () => void] {
  const [failed, setFailed] = useState<string | null>()
  const isFailed = failed === src && src !== undefined
  useEffect(() => {
    if (!isFailed) return undefined
    const tryAgain = () => document.visibilityState === 'visible' && setFailed(undefined)
    addEventListener('online', tryAgain)
    document.addEventListener('visibilitychange', tryAgain)
    return () => {
      removeEventListener('online', tryAgain)
      document.removeEventListener('visibilitychange', tryAgain)
    }
  }, [isFailed])
  return [isFailed, () => setFailed(src)]
}
