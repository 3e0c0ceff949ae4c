// Sends a notification as pushes, with one job per device.
// So a retry for one device does not repeat the push on the others.
import { PUSH_TAG, type PushPayload } from '#contract/notifications/push-payload.ts'
import type { Deps } from '#server/deps.ts'
import { MAX_TRIES, nextTryIn } from '#server/rules/push-message.ts'
import type { JobData } from '#server/store/jobs.ts'
import { findDevice, listDevices } from '#server/store/notifications/push-subscriptions.ts'
import { notificationMessageOf, type NotificationMessage } from '#server/services/notifications/message.ts'
import { sendPush } from './send-push.ts'

/** Enqueues a push for each device of the recipient. */
export async function pushNotification(
  { db, clock, transaction }: Deps,
  notificationId: string,
): Promise<void> {
  const message = await notificationMessageOf(db, notificationId, clock())
  if (!message) return
  await transaction(async ({ tx, enqueueMany }) => {
    const devices = await listDevices(tx, message.recipient.id)
    const work = devices.map((it) => ({ notificationId, deviceId: it.id, tries: 0 }))
    await enqueueMany('push.device', work)
  })
}

/** Sends one push. Its content is read again first: it is not sent if it was read, retracted or hidden since. */
export async function pushToDevice(deps: Deps, work: JobData['push.device']): Promise<void> {
  const { db, clock, transaction, settings } = deps
  const message = await notificationMessageOf(db, work.notificationId, clock())
  const device = await findDevice(db, work.deviceId)
  // Another person may be signed in on the device by now.
  if (!message || device?.userId !== message.recipient.id) return
  const result = await sendPush(deps, device, payloadOf(message, settings.publicUrl), topicOf(message))
  const tries = work.tries + 1
  if (result.is !== 'later' || tries >= MAX_TRIES) return
  const wait = nextTryIn(work.tries, result.after)
  await transaction(({ enqueue }) => enqueue('push.device', { ...work, tries }, { seconds: wait }))
}

/** The topic of a notification: an offline device later gets it once, in its last state. */
const topicOf = ({ view }: NotificationMessage): string => view.id.replaceAll('-', '')

function payloadOf(
  { recipient, view, words, path, badge }: NotificationMessage,
  publicUrl: string,
): PushPayload {
  const { setting_cd, idol_id, target_id, target_sub_1_id, target_sub_2_id, to_user_id, post_deleted } = view
  const entity = {
    setting_cd,
    idol_id,
    target_id,
    target_sub_1_id,
    target_sub_2_id,
    to_user_id,
    post_deleted,
  }
  return {
    web_push: 8030,
    mutable: true,
    notification: {
      title: words.title,
      body: words.body,
      lang: 'ja',
      dir: 'ltr',
      tag: PUSH_TAG + view.id,
      navigate: publicUrl + path,
      data: { ...entity, notification_id: view.id, user_id: recipient.id },
    },
    app_badge: badge,
  }
}
