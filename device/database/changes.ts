// Notifies every page and the worker of this device of changes in the database.
import type { Mutation } from '#contract/mutations/mutations.ts'

export type Change =
  | { store: 'jobs' | 'early' | 'media' | 'receipts' | 'identity' | 'messageDrafts'; id: string }
  /** `discarded` when the person discarded it; a deleted draft without it was evicted. */
  | { store: 'drafts'; id: string; discarded?: true }
  | { store: 'chunks'; id: string; index: number }
  /** `answered` when the server has just replied. It carries the mutation and its owner, since a page may not have read the row. */
  | { store: 'acts'; id: string; answered?: { ownerId: string; mutation: Mutation; reply: unknown } }
  | { store: 'session' }

const NAME = 'todoke-device'
let channel: BroadcastChannel | undefined
const listeners = new Set<(change: Change) => void>()

function open(): BroadcastChannel {
  if (channel) return channel
  channel = new BroadcastChannel(NAME)
  channel.addEventListener('message', (event: MessageEvent<Change>) => {
    for (const listener of listeners) listener(event.data)
  })
  return channel
}

/** Sends a change to the other contexts and this one. Call it after the transaction has completed. */
export function emitChange(change: Change): void {
  open().postMessage(change)
  for (const listener of listeners) listener(change)
}

/** Calls `listener` for every change on this device until the returned function is called. */
export function onChange(listener: (change: Change) => void): () => void {
  open()
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether a change can give the queue work. */
export function isForQueue(change: Change): boolean {
  return (
    change.store === 'jobs' ||
    change.store === 'early' ||
    change.store === 'acts' ||
    change.store === 'session'
  )
}
