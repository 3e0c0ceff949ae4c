// The letter of a notification, for whoever wants that kind by mail.
import type { Deps } from '#server/deps.ts'
import { tellingOf } from '#server/views/notification-telling.ts'

/** Read in the app meanwhile, or taken back: no letter. */
export async function writeNotificationLetter(deps: Deps, notificationId: string): Promise<void> {
  const { clock, commit, letters } = deps
  await commit(async (tx, after) => {
    const telling = await tellingOf(tx, notificationId, clock())
    if (!telling) return
    const { to, words, path } = telling
    const letter = { is: 'notification', title: words.title, quoted: words.body, path } as const
    await letters.post(tx, { email: to.email, name: to.name }, letter)
    after.wake('letter.send')
  })
}
