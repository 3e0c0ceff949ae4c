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
  { db, clock, commit, jobs }: Deps,
  notificationId: string,
): Promise<void> {
  const telling = await notificationMessageOf(db, notificationId, clock())
  if (!telling) return
  await commit(async (tx, after) => {
    const devices = await listDevices(tx, telling.recipient.id)
    const work = devices.map((it) => ({ notificationId, deviceId: it.id, tries: 0 }))
    await jobs.enqueueMany(tx, 'push.device', work)
    after.wake('push.device')
  })
}

/** Hands one over. What it says is read anew each time: read, taken back or hidden meanwhile, it is not sent. */
export async function pushToDevice(deps: Deps, work: JobData['push.device']): Promise<void> {
  const { db, clock, commit, jobs, settings } = deps
  const telling = await notificationMessageOf(db, work.notificationId, clock())
  const device = await findDevice(db, work.deviceId)
  // On the same device somebody else may be signed in by now.
  if (!telling || device?.userId !== telling.recipient.id) return
  const said = await handOver(deps, device, payloadOf(telling, settings.publicUrl), topicOf(telling))
  const tries = work.tries + 1
  if (said.is !== 'later' || tries >= MAX_TRIES) return
  const wait = nextTryIn(work.tries, said.after)
  await commit((tx) => jobs.enqueue(tx, 'push.device', { ...work, tries }, wait))
}

/** Where a device was away a while, it hears of a line once: as it is by then. */
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
