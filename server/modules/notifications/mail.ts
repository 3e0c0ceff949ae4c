// The email of a notification, for whoever wants that kind by mail.
import type { Deps } from '#server/deps.ts'
import { notificationMessageOf } from '#server/services/notifications/message.ts'

/** Read in the app meanwhile, or taken back: no email. */
export async function enqueueNotificationEmail(deps: Deps, notificationId: string): Promise<void> {
  const { clock, commit, outbox } = deps
  await commit(async (tx, after) => {
    const telling = await notificationMessageOf(tx, notificationId, clock())
    if (!telling) return
    const { recipient, words, path } = telling
    const email = { is: 'notification', title: words.title, quoted: words.body, path } as const
    await outbox.enqueue(tx, { email: recipient.email, name: recipient.name }, email)
    after.wake('letter.send')
  })
}
