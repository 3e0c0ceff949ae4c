// Enqueues the email of a notice for one person.
import type { Deps } from '#server/deps.ts'
import { plainTextOf } from '#server/rules/notices/plain-text.ts'
import { consentOf } from '#server/store/notices/consents.ts'
import { unsubscribeUrl } from '#server/services/notices/unsubscribe-token.ts'
import { findShown } from '#server/store/notices/notices.ts'
import { findUnread } from '#server/store/notifications/pages.ts'
import { findUser } from '#server/store/people/people.ts'

/**
 * Enqueues nothing if the notice was read in the app or withdrawn meanwhile. The email names its notice, so that a withdrawal also
 * removes it while it waits for the relay.
 */
export async function enqueueNoticeEmail(deps: Deps, notificationId: string): Promise<void> {
  const { clock, secrets, settings } = deps
  await deps.transaction(async ({ tx, email: enqueueEmail }) => {
    const row = await findUnread(tx, notificationId)
    const to = row && (await findUser(tx, row.userId))
    const id = row?.targetId
    const notice = id ? (await findShown(tx, [id], clock())).get(id) : undefined
    if (!to || !notice) return
    const advertising = notice.isAdvertising && {
      sender: settings.operator.name ?? '',
      address: settings.operator.address ?? '',
      contact: settings.operator.email ?? '',
      unsubscribeUrl: unsubscribeUrl(secrets, settings.publicUrl, to.id),
    }
    // The consent may have been withdrawn since the batch.
    if (advertising && (await consentOf(tx, to.id)) === null) return
    await enqueueEmail(
      { email: to.email, name: to.name },
      {
        is: 'notice',
        title: notice.title,
        text: plainTextOf(notice.content),
        path: `/notify/detail/${notice.id}`,
        advertising: advertising || null,
      },
      { noticeId: notice.id },
    )
  })
}
