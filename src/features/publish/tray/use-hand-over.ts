// useHandOver: lets the browser send large submitted uploads while the app is closed.
import { useEffect } from 'react'
import { watchHandOvers } from '#src/sw-bridge.ts'

export function useHandOver(ownerId: string): void {
  useEffect(() => {
    const watching = watchHandOvers(ownerId)
    watching.catch(() => undefined)
    return () => void watching.then((stop) => stop?.()).catch(() => undefined)
  }, [ownerId])
}
