// The letter of a notification, for whoever wants that kind by mail.
import type { Deps } from '#server/deps.ts'
import { notificationMessageOf } from '#server/views/notification-message.ts'

/** Read in the app meanwhile, or taken back: no letter. */
export async function writeNotificationLetter(deps: Deps, notificationId: string): Promise<void> {
  const { clock, commit, letters } = deps
  await commit(async (tx, after) => {
    const telling = await notificationMessageOf(tx, notificationId, clock())
    if (!telling) return
    const { recipient, words, path } = telling
    const letter = { is: 'notification', title: words.title, quoted: words.body, path } as const
    await letters.post(tx, { email: recipient.email, name: recipient.name }, letter)
    after.wake('letter.send')
  })
}
