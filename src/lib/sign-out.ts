// Somebody pressed ログアウト, wherever that stood: one question about it for the whole app.
import { useSyncExternalStore } from 'react'

let asked = false
const listeners = new Set<() => void>()

function set(next: boolean): void {
  asked = next
  for (const listener of listeners) listener()
}

export const signingOut = {
  ask: () => set(true),
  over: () => set(false),
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the person wants to sign out, and has not said yes or no to what that means. */
export function useSigningOut(): boolean {
  return useSyncExternalStore(subscribe, () => asked)
}
