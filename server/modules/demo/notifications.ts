// Notifications of the demo people: events of the demo, and one notice of the service.
import { newId } from '#contract/ids.ts'
import {
  type NotificationEvent,
  type NotificationFields,
  notificationOf,
  noticeNotification,
} from '#server/rules/notification-events.ts'
import type { Db } from '#server/store/database.ts'
import { addNotice } from '#server/store/notifications/notices.ts'
import { upsertNotification, markRead } from '#server/store/notifications/notifications.ts'

const DAY = 24 * 3600_000

const put = (tx: Db, userId: string, line: NotificationFields, at: number) =>
  upsertNotification(tx, { ...line, id: newId(), userId, inApp: true }, at)

/** Adds a demo event to its recipient's list, without a push. */
export async function tellDemo(tx: Db, it: NotificationEvent, at: number): Promise<void> {
  const line = notificationOf(it)
  if (line.idolId !== it.to) await put(tx, it.to, line, at)
}

const notice = {
  title: '「通知」のページができました',
  body: `いつもとどけをご利用いただき、ありがとうございます。

いいねやコメント、フォローがあったことを、「通知」のページにまとめてお知らせするようになりました。受け取りたい通知の種類は、通知の設定でいつでも選べます。

これからも、どうぞよろしくお願いいたします。`,
}

/** What is older than two days was read; the notice is the latest. */
export async function settleDemo(tx: Db, people: readonly string[], now: number): Promise<void> {
  const id = newId()
  const at = new Date(now - 3600_000)
  await addNotice(tx, { id, ...notice, audience: 'all', createdAt: at, publishedAt: at })
  for (const person of people) {
    await markRead(tx, person, { until: new Date(now - 2 * DAY) }, now - DAY)
    await put(tx, person, noticeNotification(id), at.getTime())
  }
}
