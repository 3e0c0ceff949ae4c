// Notifications of the demo people: events of the demo, and one notice of the service.
import { newId } from '#contract/ids.ts'
import {
  type NotificationEvent,
  type NotificationFields,
  notificationOf,
  noticeNotification,
} from '#server/rules/notification-events.ts'
import type { Db } from '#server/store/database.ts'
import { parseNotice } from '#server/services/notices/markdown.ts'
import { addNotice } from '#server/store/notices/notices.ts'
import { upsertNotification, markRead } from '#server/store/notifications/notifications.ts'

const DAY = 24 * 3600_000

const add = (tx: Db, userId: string, fields: NotificationFields, at: number) =>
  upsertNotification(tx, { ...fields, id: newId(), userId, inApp: true }, at)

/** Adds the notification of a demo event to its recipient's list, without a push. */
export async function addDemoNotification(tx: Db, event: NotificationEvent, at: number): Promise<void> {
  const fields = notificationOf(event)
  if (fields.idolId !== event.to) await add(tx, event.to, fields, at)
}

const notice = {
  title: '「通知」のページができました',
  body: `いつもとどけをご利用いただき、ありがとうございます。

いいねやコメント、フォローがあったことを、「通知」のページにまとめてお知らせするようになりました。受け取りたい通知の種類は、通知の設定でいつでも選べます。

これからも、どうぞよろしくお願いいたします。`,
}

/** Marks notifications older than two days as read, and adds the notice, which is the latest. */
export async function addDemoNotice(tx: Db, people: readonly string[], now: number): Promise<void> {
  const id = newId()
  const at = new Date(now - 3600_000)
  await addNotice(tx, {
    id,
    ...notice,
    content: parseNotice(notice.body),
    state: 'published',
    audience: 'all',
    audienceCreatorId: null,
    audiencePlanId: null,
    audienceBuild: null,
    audienceWhich: null,
    pushes: true,
    mails: false,
    isAdvertising: false,
    isUrgent: false,
    barUntil: null,
    createdAt: at,
    publishedAt: at,
  })
  for (const person of people) {
    await markRead(tx, person, { until: new Date(now - 2 * DAY) }, now - DAY)
    await add(tx, person, noticeNotification(id), at.getTime())
  }
}
