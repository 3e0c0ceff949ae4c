// The email of a notification, for a recipient with that setting.
import type { Deps } from '#server/deps.ts'
import { notificationMessageOf } from '#server/services/notifications/message.ts'

/** Read in the app or retracted in the meantime: no email. */
export async function enqueueNotificationEmail(deps: Deps, notificationId: string): Promise<void> {
  await deps.transaction(async ({ tx, email: send }) => {
    const telling = await notificationMessageOf(tx, notificationId, deps.clock())
    if (!telling) return
    const { recipient, words, path } = telling
    const email = { is: 'notification', title: words.title, quoted: words.body, path } as const
    await send({ email: recipient.email, name: recipient.name }, email)
  })
}
