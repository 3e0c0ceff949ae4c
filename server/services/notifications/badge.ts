// The number on the app's icon: unread notifications and messages.
import type { Db } from '#server/store/database.ts'
import { countUnreadOf } from '#server/store/messages/lists.ts'
import { countUnread } from '#server/store/notifications/notifications.ts'

export const countBadge = async (db: Db, userId: string): Promise<number> =>
  (await countUnread(db, userId)).unread + (await countUnreadOf(db, userId)).count
