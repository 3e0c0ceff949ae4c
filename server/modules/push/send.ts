// A notification as pushes: one job per device, so that one that is away is tried again without the others hearing twice.
import { PUSH_TAG, type PushPayload } from '#contract/notifications/push-payload.ts'
import type { Deps } from '#server/deps.ts'
import { MAX_TRIES, nextTryIn } from '#server/rules/push-message.ts'
import type { JobData } from '#server/store/jobs.ts'
import { findDevice, listDevices } from '#server/store/notifications/push-subscriptions.ts'
import { notificationMessageOf, type NotificationMessage } from '#server/services/notifications/message.ts'
import { handOver } from './hand-over.ts'

/** Puts a push in for each of the person's devices. */
export async function pushNotification(
  { db, clock, transaction }: Deps,
  notificationId: string,
): Promise<void> {
  const telling = await notificationMessageOf(db, notificationId, clock())
  if (!telling) return
  await transaction(async ({ tx, enqueueMany }) => {
    const devices = await listDevices(tx, telling.recipient.id)
    const work = devices.map((it) => ({ notificationId, deviceId: it.id, tries: 0 }))
    await enqueueMany('push.device', work)
  })
}

/** Sends one push. Its content is read again first: it is not sent if it was read, retracted or hidden since. */
export async function pushToDevice(deps: Deps, work: JobData['push.device']): Promise<void> {
  const { db, clock, transaction, settings } = deps
  const telling = await notificationMessageOf(db, work.notificationId, clock())
  const device = await findDevice(db, work.deviceId)
  // Another person may be signed in on the device by now.
  if (!telling || device?.userId !== telling.recipient.id) return
  const said = await handOver(deps, device, payloadOf(telling, settings.publicUrl), topicOf(telling))
  const tries = work.tries + 1
  if (said.is !== 'later' || tries >= MAX_TRIES) return
  const wait = nextTryIn(work.tries, said.after)
  await transaction(({ enqueue }) => enqueue('push.device', { ...work, tries }, { seconds: wait }))
}

/** A device that was offline gets each notification once, in its last state. */
const topicOf = ({ view }: NotificationMessage): string => view.id.replaceAll('-', '')

function payloadOf(
  { recipient, view, words, path, unread }: NotificationMessage,
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
    app_badge: unread,
  }
}
