// What a conversation shows: its messages with days, groups and states. Pure.
import type { ConversationView } from '#contract/messages/conversations.ts'
import type { MessageView } from '#contract/messages/messages.ts'
import { isSameDay } from '#src/lib/format.ts'

/** Messages of one person within this time are shown as a group, ms. */
const GROUP_MS = 5 * 60_000
/** Messages of one block, which is in the document as a whole or not at all. */
const BLOCK = 50

/** How far an own message has come: accepted by the server, arrived on a device, read. */
export type SentState = 'sent' | 'delivered' | 'read'

export interface ShownMessage {
  readonly message: MessageView
  readonly isOwn: boolean
  /** The first message of its day. */
  readonly startsDay: boolean
  /** The first message of a group of one person. */
  readonly startsGroup: boolean
  /** The first message that was unread when the conversation was opened. */
  readonly isFirstUnread: boolean
  /** Shown below the newest own message, and below the newest one that was read. */
  readonly state: SentState | undefined
}

export interface MessageBlock {
  /** Stays the same while messages are added around it. */
  readonly key: number
  readonly messages: readonly ShownMessage[]
}

interface Viewing {
  readonly ownId: string
  readonly marks: ConversationView['marks']
  /** The read position when the conversation was opened; undefined for no line. */
  readonly unreadAfter: number | undefined
}

/** @param messages in their order */
export function shownMessages(messages: readonly MessageView[], viewing: Viewing): ShownMessage[] {
  const { ownId, unreadAfter } = viewing
  const states = sentStates(messages, viewing)
  const firstUnread =
    unreadAfter === undefined
      ? undefined
      : messages.find((it) => it.seq > unreadAfter && it.sender_id !== ownId)?.id
  return messages.map((message, i) => {
    const before = messages[i - 1]
    const at = Date.parse(message.sent_at)
    const startsDay = !before || !isSameDay(Date.parse(before.sent_at), at)
    const isFirstUnread = message.id === firstUnread
    const startsGroup =
      startsDay ||
      isFirstUnread ||
      before.sender_id !== message.sender_id ||
      at - Date.parse(before.sent_at) > GROUP_MS
    return {
      message,
      isOwn: message.sender_id === ownId,
      startsDay,
      startsGroup,
      isFirstUnread,
      state: states.get(message.id),
    }
  })
}

/** The states that are shown: of the newest own message, and of the newest own one that was read. */
function sentStates(
  messages: readonly MessageView[],
  { ownId, marks }: Viewing,
): ReadonlyMap<string, SentState> {
  const states = new Map<string, SentState>()
  const own = messages.filter((it) => it.sender_id === ownId && it.body.is === 'text')
  const read = marks && own.findLast((it) => it.seq <= marks.read_seq)
  if (read) states.set(read.id, 'read')
  const newest = own.at(-1)
  if (newest && newest !== read)
    states.set(newest.id, marks && newest.seq <= marks.delivered_seq ? 'delivered' : 'sent')
  return states
}

/** Cuts messages into blocks by their sequence numbers, so that a block stays the same while others are added. */
export function blocksOf(messages: readonly ShownMessage[]): MessageBlock[] {
  const blocks: { key: number; messages: ShownMessage[] }[] = []
  for (const it of messages) {
    const key = Math.floor(it.message.seq / BLOCK)
    const last = blocks.at(-1)
    if (last?.key === key) last.messages.push(it)
    else blocks.push({ key, messages: [it] })
  }
  return blocks
}
