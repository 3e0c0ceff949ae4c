// Whether the browser says that it has a network.
import { useSyncExternalStore } from 'react'

/** Calls back when that changes, until the returned function is called. */
export function onNetwork(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

export const useOnline = (): boolean => useSyncExternalStore(onNetwork, () => navigator.onLine)
