// Whether the browser reports a network.
import { useStore } from './store.ts'

/** Calls a listener when this changes, until the returned function is called. */
export function onNetwork(listener: () => void): () => void {
  // Unit tests have no window.
  const target: Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>> = globalThis
  for (const it of ['online', 'offline']) target.addEventListener?.(it, listener)
  return () => {
    for (const it of ['online', 'offline']) target.removeEventListener?.(it, listener)
  }
}

export const isOnline = (): boolean => !('onLine' in navigator) || navigator.onLine

export const useOnline = (): boolean => useStore({ get: isOnline, subscribe: onNetwork })
