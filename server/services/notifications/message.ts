// A notification as push or email: its words, target and recipient.
import { notificationText, type NotificationText } from '#contract/notifications/notification-text.ts'
import type { NotificationView } from '#contract/notifications/notifications.ts'
import { targetOf } from '#contract/notifications/targets.ts'
import type { Db } from '#server/store/database.ts'
import { findUnread } from '#server/store/notifications/pages.ts'
import { findUser, type User } from '#server/store/people/people.ts'
import { countBadge } from './badge.ts'
import { viewNotifications } from './views.ts'

export interface NotificationMessage {
  readonly recipient: User
  readonly view: NotificationView
  readonly words: NotificationText
  /** From the origin's root. */
  readonly path: string
  /** The number on the app's icon. */
  readonly badge: number
}

/** Reads a notification; undefined when it was read or retracted, or its recipient may not see it any more. */
export async function notificationMessageOf(
  db: Db,
  notificationId: string,
  now: number,
): Promise<NotificationMessage | undefined> {
  const row = await findUnread(db, notificationId)
  const to = row && (await findUser(db, row.userId))
  if (!to) return undefined
  const [view] = await viewNotifications(db, to, [row], now)
  if (!view) return undefined
  const { people, others, excerpt } = view
  const words = notificationText(view, { name: people[0]?.name ?? null, others, excerpt })
  return { recipient: to, view, words, path: targetOf(view), badge: await countBadge(db, to.id) }
}
