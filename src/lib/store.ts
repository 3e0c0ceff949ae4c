// Stores and signals outside React, and the hook that subscribes to them.
import { useSyncExternalStore } from 'react'

/** Calls a listener at each change, until the returned function is called. */
export type Subscribe = (listener: () => void) => () => void

/** A value that changes outside React. */
export interface ReadableStore<T> {
  /** Returns the same value until it changes. */
  readonly get: () => T
  readonly subscribe: Subscribe
}

export interface Store<T> extends ReadableStore<T> {
  readonly set: (next: T) => void
}

/** A change without a value. */
export interface Signal {
  readonly emit: () => void
  readonly subscribe: Subscribe
}

/**
 * @param watch called when the first listener subscribes; the function that it returns is called after the last one
 *   has unsubscribed
 */
export function createSignal(watch?: (emit: () => void) => () => void): Signal {
  const listeners = new Set<() => void>()
  let stop: (() => void) | undefined
  const emit = () => {
    for (const listener of listeners) listener()
  }
  return {
    emit,
    subscribe(listener) {
      if (listeners.size === 0) stop = watch?.(emit)
      listeners.add(listener)
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop?.()
      }
    },
  }
}

/** @param watch as in `createSignal`; sets the value */
export function createStore<T>(first: T, watch?: (set: (next: T) => void) => () => void): Store<T> {
  let value = first
  const set = (next: T) => {
    value = next
    emit()
  }
  const { emit, subscribe } = createSignal(watch && (() => watch(set)))
  return { get: () => value, set, subscribe }
}

/** Subscribes a component to a store's value. */
export function useStore<T>({ get, subscribe }: ReadableStore<T>): T {
  return useSyncExternalStore(subscribe, get)
}
