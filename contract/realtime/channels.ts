// Live channels, their events and the data of each (specification section 7).
import * as v from 'valibot'
import { id } from '#contract/ids.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** All counts of a post; a greater version is later. Earlier servers send one count without a version. */
const counts = { likes: v.optional(count), comments: v.optional(count), version: v.optional(count) }

/** Channel of one person; others cannot join. */
export const personChannel = (userId: string): string => `private-person.${userId}`
/** Channel of a post: people who may read it in full get its likes and comments. */
export const postChannel = (postId: string): string => `private-post.${postId}`
/** The two people of a conversation see each other come and go. */
export const conversationChannel = (conversationId: string): string =>
  `presence-conversation.${conversationId}`

/**
 * What the page of a person who writes sends to the other pages on the conversation's channel. It has no data: the server
 * refuses every other event of a client, and every other data.
 */
export const TYPING = 'client-typing'
/** The server refuses it more often than this on one channel of a connection, ms. */
export const TYPING_REFUSED_WITHIN = 2000

/** Meaning of a channel's name. */
export type Channel = { readonly is: 'person' | 'post' | 'conversation'; readonly id: string }

const names =
  /^(private-person|private-post|presence-conversation)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Parses a channel's name; undefined for names that cannot be joined. */
export function channelOf(name: string): Channel | undefined {
  const [, kind, whose] = names.exec(name) ?? []
  if (kind === undefined || whose === undefined) return undefined
  if (kind === 'private-person') return { is: 'person', id: whose }
  return { is: kind === 'private-post' ? 'post' : 'conversation', id: whose }
}

/**
 * Every event and its data: numbers and ids of what changed. A client that receives one requests the data,
 * so that the server decides again what this person may see.
 */
export const events = {
  /** The person's unread notifications, after one came or was read. */
  'notifications.changed': v.object({ unread: count, version: v.optional(count) }),
  /** A notification of their list changed: an actor was added, or the last one removed. */
  'lines.changed': v.object({}),
  /** A person they follow, or whose plan they joined, has published. */
  'feed.newer': v.object({ post_id: id, author_id: id }),
  /** A block or mute by or of the person changed. It names neither the other person nor the direction. */
  'people.changed': v.object({}),
  /** One of their own media is made, or could not be. */
  'media.changed': v.object({ media_id: id, post_id: v.nullable(id), state: v.string() }),
  /** A conversation of the person has changed. `user_id`: the other person, by whom it is addressed. */
  'conversation.changed': v.object({ conversation_id: id, user_id: id, seq: count, change: count }),
  /** The person's unread messages, after one came, was unsent or was read. */
  'messages.unread': v.object({ count }),
  /** A conversation has changed, on its own channel. */
  'messages.changed': v.object({ conversation_id: id, seq: count, change: count }),
  /** Typing of a person on the channel of a conversation; the server adds who it is. */
  [TYPING]: v.object({ user_id: id }),
  /** Likes of a post changed. */
  'likes.changed': v.object({ post_id: id, ...counts }),
  /** A comment or reply was written, deleted or liked. */
  'comments.changed': v.object({ post_id: id, comment_id: id, ...counts }),
  /** A payment of the person has another state. */
  'payment.changed': v.object({ payment_id: id, post_id: v.nullable(id), state: v.string() }),
  /** A membership of the person has another state, plan or price. */
  'membership.changed': v.object({ membership_id: id, state: v.string() }),
  /** What the person sells or is paid changed: a sale, a refund, a member, a closed month, a payout. */
  'sales.changed': v.object({}),
  /** What the person may do changed: an identity check was decided, a role of staff was given or taken. */
  'rights.changed': v.object({}),
} as const

export type EventName = keyof typeof events
export type EventData<E extends EventName> = v.InferOutput<(typeof events)[E]>

/** Events that the server itself publishes. */
type PublishedName = Exclude<EventName, typeof TYPING>

/** One event on one channel. */
export type LiveMessage = {
  [E in PublishedName]: {
    readonly channel: string
    readonly event: E
    readonly data: EventData<E>
    /** The socket whose own call caused it, which is left out. */
    readonly except?: string | undefined
  }
}[PublishedName]

/** A live connection, or authorizations of it, that ended. */
export type Ending =
  /** Signed out, or ended from another device. */
  | { readonly is: 'session'; readonly userId: string; readonly sessionId: string }
  /** All sessions of a person but one. */
  | { readonly is: 'person'; readonly userId: string; readonly except?: string | undefined }
  /** The permissions of these people have changed, for example by a block; their channels are checked again. */
  | { readonly is: 'permissions'; readonly userIds: readonly string[] }
  /** The members of this channel are checked again. */
  | { readonly is: 'channel'; readonly channel: string }
