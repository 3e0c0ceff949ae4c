// Pushes and emails about messages: what enqueues them, and their content when they are sent.
import { messageText } from '#contract/notifications/notification-text.ts'
import type { UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import type { Db } from '#server/store/database.ts'
import { findUnreadConversation, type UnreadConversation } from '#server/store/messages/notices.ts'
import { findRecipient, type Recipient } from '#server/store/notifications/recipients.ts'
import { findPeople, findUser, type User } from '#server/store/people/people.ts'
import { beginning } from './views.ts'

/** A page that shows the conversation marks it as read within this time. */
const PUSH_DELAY_SECONDS = 3
/** An email is for people who have not seen the push. */
const MAIL_DELAY_SECONDS = 600
/** Time between two emails about one conversation, ms. */
export const MAIL_INTERVAL_MS = 24 * 3600_000

interface Arrived {
  readonly messageId: string
  readonly senderId: string
  readonly recipientId: string
  /** When the recipient last got an email about the conversation. */
  readonly mailedAt: Date | null
}

/** Enqueues push and email of a message that has reached a conversation, not one of a message request or a muted one. */
export async function enqueueMessageNotices(
  { tx, enqueue }: Pick<UnitOfWork, 'tx' | 'enqueue'>,
  { messageId, senderId, recipientId, mailedAt }: Arrived,
  now: number,
): Promise<void> {
  const recipient = await findRecipient(tx, recipientId, senderId, 'message')
  if (!recipient) return
  const { channels, hasDevice } = recipient
  if (channels.push && hasDevice)
    await enqueue('message.push', { messageId }, { seconds: PUSH_DELAY_SECONDS })
  const isMailDue = mailedAt === null || mailedAt.getTime() <= now - MAIL_INTERVAL_MS
  if (channels.mail && isMailDue)
    await enqueue('message.mail', { messageId }, { seconds: MAIL_DELAY_SECONDS })
}

export interface ConversationNotice extends UnreadConversation {
  readonly recipient: User
  readonly channels: Recipient['channels']
  readonly senderName: string
  /** Of the push. */
  readonly words: { readonly title: string; readonly body: string }
}

/**
 * The notice of a message's conversation, as it is now. Undefined once it was read, muted or unsent, and when a block, a
 * mute, or the state of one of the two accounts permits none.
 */
export async function conversationNotice(db: Db, messageId: string): Promise<ConversationNotice | undefined> {
  const unread = await findUnreadConversation(db, messageId)
  if (!unread) return undefined
  const { recipientId, senderId, count, content, showsText } = unread
  const allowed = await findRecipient(db, recipientId, senderId, 'message')
  const sender = (await findPeople(db, [senderId])).get(senderId)
  const recipient = await findUser(db, recipientId)
  if (!allowed || !recipient || sender?.state !== 'present') return undefined
  const words = messageText(sender.name, count, showsText ? beginning(content) : null)
  return { ...unread, recipient, channels: allowed.channels, senderName: sender.name, words }
}
