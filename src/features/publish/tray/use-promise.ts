// usePromise: whether deliveries continue after the app is closed.
import { useEffect, useState } from 'react'
import { promised, type Promised } from '#src/sw-bridge.ts'

/** Undefined until the browser has reported it. */
export function usePromise(): Promised | undefined {
  const [promise, setPromise] = useState<Promised>()
  useEffect(() => void promised().then(setPromise), [])
  return promise
}
