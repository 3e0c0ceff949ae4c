// Enqueues the email about a notification.
import type { Deps } from '#server/deps.ts'
import { notificationMessageOf } from '#server/services/notifications/message.ts'

/** Enqueues nothing if the notification was read in the app or retracted meanwhile. */
export async function enqueueNotificationEmail(deps: Deps, notificationId: string): Promise<void> {
  await deps.transaction(async ({ tx, email: enqueueEmail }) => {
    const message = await notificationMessageOf(tx, notificationId, deps.clock())
    if (!message) return
    const { recipient, words, path } = message
    const email = { is: 'notification', title: words.title, quoted: words.body, path } as const
    await enqueueEmail({ email: recipient.email, name: recipient.name }, email)
  })
}
