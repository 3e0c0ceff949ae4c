// Whether the browser says that it has a network.
import { useStore } from './store.ts'

/** Calls back when that changes, until the returned function is called. */
export function onNetwork(changed: () => void): () => void {
  // A test has no window.
  const target: Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>> = globalThis
  for (const it of ['online', 'offline']) target.addEventListener?.(it, changed)
  return () => {
    for (const it of ['online', 'offline']) target.removeEventListener?.(it, changed)
  }
}

export const isOnline = (): boolean => !('onLine' in navigator) || navigator.onLine

export const useOnline = (): boolean => useStore({ get: isOnline, subscribe: onNetwork })
