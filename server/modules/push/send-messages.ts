// Sends a conversation with unread messages as pushes, with one job per device.
import { MESSAGE_TAG, type PushPayload } from '#contract/notifications/push-payload.ts'
import { targetOf } from '#contract/notifications/targets.ts'
import type { Deps } from '#server/deps.ts'
import { MAX_TRIES, nextTryIn } from '#server/rules/push-message.ts'
import { countBadge } from '#server/services/notifications/badge.ts'
import { conversationNotice, type ConversationNotice } from '#server/services/notifications/message-notice.ts'
import type { JobData } from '#server/store/jobs.ts'
import { setPushed } from '#server/store/messages/notices.ts'
import { findDevice, listDevices } from '#server/store/notifications/push-subscriptions.ts'
import { sendPush } from './send-push.ts'

/**
 * Enqueues a push for each device of the recipient. Messages that arrive before the first one's push are in it, and their
 * own jobs do nothing.
 */
export async function pushMessage({ db, transaction }: Deps, messageId: string): Promise<void> {
  const notice = await conversationNotice(db, messageId)
  if (!notice?.channels.push) return
  const seq = notice.newestSeq
  await transaction(async ({ tx, enqueueMany }) => {
    if (!(await setPushed(tx, notice, seq))) return
    const devices = await listDevices(tx, notice.recipientId)
    await enqueueMany(
      'message.device',
      devices.map((it) => ({ messageId, deviceId: it.id, seq, tries: 0 })),
    )
  })
}

/** Sends one push, with the content of this moment, unless a push of a later message has been enqueued since. */
export async function pushMessageToDevice(deps: Deps, work: JobData['message.device']): Promise<void> {
  const { db, transaction } = deps
  const notice = await conversationNotice(db, work.messageId)
  const device = await findDevice(db, work.deviceId)
  // Another person may be signed in on the device by now.
  if (!notice?.channels.push || notice.pushedSeq > work.seq || device?.userId !== notice.recipientId) return
  const payload = payloadOf(notice, await countBadge(db, notice.recipientId), deps.settings.publicUrl)
  const result = await sendPush(deps, device, payload, topicOf(deps, notice))
  const tries = work.tries + 1
  if (result.is !== 'later' || tries >= MAX_TRIES) return
  const wait = nextTryIn(work.tries, result.after)
  await transaction(({ enqueue }) => enqueue('message.device', { ...work, tries }, { seconds: wait }))
}

/** The topic of a conversation, another one for each of its people: push services do not learn who writes to whom. */
const topicOf = ({ secrets }: Deps, { conversationId, recipientId }: ConversationNotice): string =>
  secrets.mac('push-topic', `${conversationId} ${recipientId}`).slice(0, 32)

function payloadOf(
  { senderId, senderName, recipientId, newestSeq, words }: ConversationNotice,
  badge: number,
  publicUrl: string,
): PushPayload {
  const entity = {
    setting_cd: 'message',
    idol_id: senderId,
    target_id: null,
    target_sub_1_id: null,
    target_sub_2_id: null,
    to_user_id: null,
    post_deleted: false,
  } as const
  return {
    web_push: 8030,
    mutable: true,
    notification: {
      ...words,
      lang: 'ja',
      dir: 'ltr',
      tag: MESSAGE_TAG + senderId,
      navigate: publicUrl + targetOf(entity),
      data: { ...entity, name: senderName, seq: newestSeq, user_id: recipientId },
    },
    app_badge: badge,
  }
}
