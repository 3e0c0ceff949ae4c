// A small external store for UI state that outlives the page it began on.
import { useSyncExternalStore } from 'react'

export interface Store<T> {
  get(): T
  set(next: T): void
  /** Hook: follows the value. */
  use(): T
}

export function createStore<T>(first: T): Store<T> {
  let now = first
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const get = () => now
  return {
    get,
    set(next) {
      now = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
