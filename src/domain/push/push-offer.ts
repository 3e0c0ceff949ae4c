// Decides when the app offers pushes: after a like, follow or comment.
import * as v from 'valibot'
import { createStore, useStore } from '#src/lib/store.ts'
import { createPersistedValue } from '#src/lib/persisted-value.ts'

const note = createPersistedValue(
  () => localStorage,
  'todoke.push-offer',
  v.object({ times: v.number(), at: v.number() }),
)

const DAY = 24 * 3600 * 1000
/** Wait after the first dismissal, ms. After a second, only the settings offer pushes. */
const WAIT_AFTER_DISMISSAL = 30 * DAY

const isOpen = createStore(false)

/** Whether enough time has passed since a dismissal. */
export function mayOfferPush(): boolean {
  const dismissals = note.read()
  if (!dismissals) return true
  return dismissals.times < 2 && Date.now() - dismissals.at >= WAIT_AFTER_DISMISSAL
}

export const pushOffer = {
  /** Opens the offer after a comment, follow or like, if it may be made. */
  show(): void {
    const hasNoDecision = 'Notification' in window && Notification.permission === 'default'
    if (!isOpen.get() && hasNoDecision && mayOfferPush()) isOpen.set(true)
  },
  /** Closes the offer. @param isDismissed whether the person dismissed it */
  close(isDismissed: boolean): void {
    if (isDismissed) note.save({ times: (note.read()?.times ?? 0) + 1, at: Date.now() })
    isOpen.set(false)
  },
}

export const usePushOfferOpen = (): boolean => useStore(isOpen)
