// A value for the whole app, beside the tree of its pages: what was asked, offered or opened outlives the page it began on.
import { useSyncExternalStore } from 'react'

export interface Held<T> {
  get(): T
  set(next: T): void
  /** Hook: follows the value. */
  use(): T
}

export function held<T>(first: T): Held<T> {
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
