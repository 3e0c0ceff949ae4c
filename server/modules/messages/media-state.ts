// Counts and publishes changes of messages whose media are made, or shown to their recipient.
import type { Deps } from '#server/deps.ts'
import type { Db } from '#server/store/database.ts'
import { countChange } from '#server/store/messages/conversations.ts'
import { messagesWithParts, placeOfMedia } from '#server/store/messages/message-media.ts'
import { setChange } from '#server/store/messages/messages.ts'
import { publishToBoth, publishToSelf } from './live.ts'

/**
 * Publishes that an image or a video of a message was made, or could not be: the devices of both read the message again.
 * A second run counts one more change, and shows nothing else.
 */
export async function publishMediaState(
  { transaction }: Pick<Deps, 'transaction'>,
  mediaId: string,
): Promise<void> {
  await transaction(async (unit) => {
    const { tx } = unit
    const place = await placeOfMedia(tx, mediaId)
    if (!place) return
    const { conversationId, senderId: byId, recipientId: otherId } = place
    const numbers = await countChange(tx, conversationId, { isMessage: false })
    await setChange(tx, place.messageId, numbers.lastChange)
    const changed = { conversationId, byId, otherId, request: undefined }
    if (place.isDelivered) publishToBoth(unit, changed, numbers)
    else publishToSelf(unit, changed, numbers)
  })
}

/**
 * Counts a change of each message of one person whose media or post the other one sees from now on, so that devices that have the
 * message read it again.
 */
export async function revealMedia(tx: Db, conversationId: string, senderId: string): Promise<void> {
  for (const id of await messagesWithParts(tx, conversationId, senderId)) {
    const { lastChange } = await countChange(tx, conversationId, { isMessage: false })
    await setChange(tx, id, lastChange)
  }
}
