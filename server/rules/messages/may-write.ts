// Decides who may write a message to whom.
import type { MessageFrom } from '#contract/accounts/settings.ts'
import { MAX_REQUEST_MESSAGES } from '#contract/limits.ts'

/** What decides whether one person may write to another. */
export interface Writing {
  readonly isSelf: boolean
  /** Neither of the two is leaving, suspended or deleted. */
  readonly arePresent: boolean
  /** One of the two has blocked the other. */
  readonly isBlocked: boolean
  /** The recipient's setting. */
  readonly messageFrom: MessageFrom
  /** The recipient follows the sender. */
  readonly isFollowed: boolean
  /** The sender is a member of a plan of the recipient. */
  readonly isPlanMember: boolean
  /** The recipient's state in the conversation; null while they have received nothing. */
  readonly state: 'received' | 'requested' | 'accepted' | 'declined' | null
  /** Messages of the conversation. */
  readonly messages: number
}

/** As `may_write` of contract/messages/conversations.ts. */
export type MayWrite = 'open' | 'request' | 'waiting' | 'closed'

/**
 * Whether the sender may write to the recipient. A declined request looks to its sender like one without an answer: more
 * messages may be added to it, which the recipient does not get.
 */
export function mayWrite(it: Writing): MayWrite {
  if (it.isSelf || !it.arePresent || it.isBlocked) return 'closed'
  if (it.state === 'accepted') return 'open'
  if (it.messageFrom === 'nobody') return 'closed'
  if (it.isPlanMember) return 'open'
  switch (it.messageFrom) {
    case 'plan_members':
      return 'closed'
    case 'following':
      return it.isFollowed ? 'open' : 'closed'
    case 'everyone':
      if (it.isFollowed || it.state === 'received') return 'open'
      // Only the sender has written, since a reply accepts.
      return it.messages < MAX_REQUEST_MESSAGES ? 'request' : 'waiting'
    default:
      return it.messageFrom satisfies never
  }
}

/**
 * Whether a broadcast reaches a member of the sender's plan. Who joined a plan chose its creator, as a follower did: the
 * settings `everyone` and `following` let it in; the two others do not, unless the recipient has accepted the conversation.
 */
export const reachesMember = (it: Writing): boolean => mayWrite({ ...it, isFollowed: true }) === 'open'
