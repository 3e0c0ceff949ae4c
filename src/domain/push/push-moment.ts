// When pushes may be offered: right after an action that others may answer, and not soon after a refusal.
import * as v from 'valibot'
import { createStore, useStore } from '#src/lib/store.ts'
import { createPersistedValue } from '#src/lib/persisted-value.ts'

const note = createPersistedValue(
  () => localStorage,
  'todoke.push-offer',
  v.object({ times: v.number(), at: v.number() }),
)

const DAY = 24 * 3600 * 1000
/** Put off once, it is offered again after a month; put off twice, in the settings alone. */
const PATIENCE = 30 * DAY

const isHere = createStore(false)

/** Whether the person has not put it off lately. */
export function mayOfferPush(): boolean {
  const before = note.read()
  if (!before) return true
  return before.times < 2 && Date.now() - before.at >= PATIENCE
}

export const pushMoment = {
  /** A comment, a follow or a like was sent: answers may follow. */
  came(): void {
    const canAsk = 'Notification' in window && Notification.permission === 'default'
    if (!isHere.get() && canAsk && mayOfferPush()) isHere.set(true)
  },
  /** It was answered, or put off. */
  over(putOff: boolean): void {
    if (putOff) note.save({ times: (note.read()?.times ?? 0) + 1, at: Date.now() })
    isHere.set(false)
  },
}

export const usePushMoment = (): boolean => useStore(isHere)
