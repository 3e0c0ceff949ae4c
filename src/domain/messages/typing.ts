// When typing is reported to the other person, and when theirs is shown. Pure.

/** A page reports typing at most this often, ms. The server refuses it within two seconds. */
export const TYPING_EVERY = 3000
/** The other person's typing is shown for this long, ms, unless it is reported again or a message comes. */
export const TYPING_SHOWN = 6000

/** Decides whether a change of the text is reported now. */
export function createTypingThrottle(): (typed: string, now: number) => boolean {
  let reportedAt: number | undefined
  return (typed, now) => {
    // An emptied field is no typing, and neither is a text of spaces, which cannot be sent.
    if (typed.trim() === '') return false
    if (reportedAt !== undefined && now - reportedAt < TYPING_EVERY) return false
    reportedAt = now
    return true
  }
}

/** The other person's typing, as a page shows it. */
export interface Typing {
  readonly isShown: boolean
  /** Whether it was said to assistive technology: once until a message comes. */
  readonly isAnnounced: boolean
  /** Sequence number of the newest message that is known. */
  readonly seq: number
}

export type TypingEvent =
  /** The other person's page has reported typing. */
  | { readonly is: 'typed' }
  /** It was not reported again in time. */
  | { readonly is: 'expired' }
  /** The conversation has changed on the server. */
  | { readonly is: 'changed'; readonly seq: number }
  /** This page has read up to a message, which may be its own. */
  | { readonly is: 'read'; readonly seq: number }

export const noTyping = (seq: number): Typing => ({ isShown: false, isAnnounced: false, seq })

export function typingAfter(before: Typing, event: TypingEvent): Typing {
  switch (event.is) {
    case 'typed':
      return before.isShown ? before : { ...before, isShown: true, isAnnounced: true }
    case 'expired':
      return before.isShown ? { ...before, isShown: false } : before
    case 'changed':
      // A reaction or a read mark ends nothing.
      return event.seq > before.seq ? noTyping(event.seq) : before
    case 'read':
      return event.seq > before.seq ? { ...before, seq: event.seq } : before
    default:
      return event satisfies never
  }
}
