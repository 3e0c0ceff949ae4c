// Removes messages whose storage time is over, every hour.
import type { Deps } from '#server/deps.ts'
import { removeBroadcastsBefore } from '#server/store/messages/broadcasts.ts'
import { lockConversation } from '#server/store/messages/conversations.ts'
import { conversationsWithOld, removeOldMessages } from '#server/store/messages/retention.ts'

const DAY = 24 * 3600_000

/** Removes old messages with their files, where the operator has set a storage time. Copies of reported ones stay. */
export async function removeExpiredMessages({ db, transaction, settings, clock }: Deps): Promise<void> {
  const { message_days: days } = settings.operator
  if (days === null) return
  const before = new Date(clock() - days * DAY)
  for (let ids = await conversationsWithOld(db, before); ids.length > 0;) {
    for (const id of ids)
      await transaction(async ({ tx, enqueue }) => {
        await lockConversation(tx, id)
        for (const mediaId of await removeOldMessages(tx, id, before))
          await enqueue('media.remove', { mediaId })
      })
    ids = await conversationsWithOld(db, before)
  }
  // A broadcast has the text of its messages.
  await removeBroadcastsBefore(db, before)
}
