// Enqueues the email about unread messages of a conversation, at most one a day.
import { notificationText } from '#contract/notifications/notification-text.ts'
import type { Deps } from '#server/deps.ts'
import { conversationNotice, MAIL_INTERVAL_MS } from '#server/services/notifications/message-notice.ts'
import { setMailed } from '#server/store/messages/notices.ts'

/** The email has the sender's name, and no text of a message. */
export async function enqueueMessageEmail(deps: Deps, messageId: string): Promise<void> {
  const now = deps.clock()
  await deps.transaction(async ({ tx, email: enqueueEmail }) => {
    const notice = await conversationNotice(tx, messageId)
    if (!notice?.channels.mail || !(await setMailed(tx, notice, now - MAIL_INTERVAL_MS, now))) return
    const { recipient, senderName, senderId } = notice
    const { title } = notificationText({ setting_cd: 'message' }, { name: senderName, others: 0 })
    const path = `/chat-messages/${senderId}`
    const { email, name } = recipient
    await enqueueEmail({ email, name }, { is: 'notification', title, quoted: '', path })
  })
}
