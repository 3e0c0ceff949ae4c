// One line of somebody's notifications as a push or a letter tells of it: its words, where it leads, and to whom.
import { notificationText, type NotificationText } from '#contract/notification-text.ts'
import type { NotificationView } from '#contract/notifications.ts'
import { targetOf } from '#contract/push.ts'
import type { Db } from '#server/store/database.ts'
import { findUnread } from '#server/store/notification-pages.ts'
import { countUnread } from '#server/store/notifications.ts'
import { findUser, type User } from '#server/store/people.ts'
import { viewNotifications } from './notification-views.ts'

export interface Telling {
  readonly to: User
  readonly view: NotificationView
  readonly words: NotificationText
  /** From the origin's root. */
  readonly path: string
  /** Unread lines of the app, for its badge. */
  readonly unread: number
}

/** @returns undefined when it was read or taken back meanwhile, or is not for its person any more */
export async function tellingOf(db: Db, notificationId: string, now: number): Promise<Telling | undefined> {
  const row = await findUnread(db, notificationId)
  const to = row && (await findUser(db, row.userId))
  if (!to) return undefined
  const [view] = await viewNotifications(db, to, [row], now)
  if (!view) return undefined
  const { people, others, excerpt } = view
  const words = notificationText(view, { name: people[0]?.name ?? null, others, excerpt })
  return { to, view, words, path: targetOf(view), unread: await countUnread(db, to.id) }
}
