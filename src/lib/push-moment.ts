// When pushes may be offered: right after somebody did something others may answer to, and not again soon after a no.
import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { kept } from './kept.ts'

const note = kept(() => localStorage, 'todoke.push-offer', v.object({ times: v.number(), at: v.number() }))

const DAY = 24 * 3600 * 1000
/** Put off once, it is offered again after a month; put off twice, in the settings alone. */
const PATIENCE = 30 * DAY

let now = false
const listeners = new Set<() => void>()

function set(next: boolean): void {
  now = next
  for (const listener of listeners) listener()
}

/** Whether the person has not put it off lately. */
export function mayOfferPush(): boolean {
  const before = note.read()
  if (!before) return true
  return before.times < 2 && Date.now() - before.at >= PATIENCE
}

export const pushMoment = {
  /** A comment, a follow or a like arrived: answers to it would be good to hear of. */
  came(): void {
    const asked = 'Notification' in window && Notification.permission === 'default'
    if (!now && asked && mayOfferPush()) set(true)
  },
  /** It was answered, or put off. */
  over(putOff: boolean): void {
    if (putOff) note.save({ times: (note.read()?.times ?? 0) + 1, at: Date.now() })
    set(false)
  },
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function usePushMoment(): boolean {
  return useSyncExternalStore(subscribe, () => now)
}
