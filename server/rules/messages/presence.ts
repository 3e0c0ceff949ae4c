// Decides what one person sees of the other one's presence in a conversation.
import type { Presence } from '#contract/messages/presence.ts'

/** What decides it. Every condition must hold; otherwise nothing is shown. */
export interface Present {
  /** Neither of the two is leaving, suspended or deleted. */
  readonly arePresent: boolean
  /** One of the two has blocked the other. */
  readonly isBlocked: boolean
  /** Both have chosen to show theirs. */
  readonly bothShowPresence: boolean
  /** Both have written, or accepted what the other one wrote. */
  readonly bothAccepted: boolean
  /** Whether a page of the other one is connected; undefined where this process does not know. */
  readonly isConnected: boolean | undefined
  /** When a page of the other one was last connected, as it is stored. */
  readonly seenAt: Date | null
}

/** Where connections of other processes are unknown, a person whose time is younger than this is online, ms. */
export const ONLINE_WITHIN_MS = 7 * 60_000

/** @returns null for whatever reason nothing is shown, so that the reason is not */
export function presenceOf(it: Present, now: number): Presence | null {
  if (!it.arePresent || it.isBlocked || !it.bothShowPresence || !it.bothAccepted) return null
  const isRecent = it.seenAt !== null && now - it.seenAt.getTime() < ONLINE_WITHIN_MS
  if (it.isConnected ?? isRecent) return { is: 'online' }
  return it.seenAt && { is: 'seen', at: it.seenAt.toISOString() }
}
