// Routes of notifications: list, unread count and read marks.
import type { FastifyInstance } from 'fastify'
import {
  countBadge,
  countUnread,
  listNotifications,
  readNotifications,
} from '#contract/notifications/notifications.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { memberRoute } from '#server/http/route.ts'
import { listNotificationRows } from '#server/store/notifications/pages.ts'
import { countUnread as countUnreadRows, markRead } from '#server/store/notifications/notifications.ts'
import { countBadge as countBadgeOf } from '#server/services/notifications/badge.ts'
import { publishUnreadCount } from '#server/services/notifications/notify.ts'
import { viewNotifications } from '#server/services/notifications/views.ts'

const PAGE = 20

export function notificationRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, transaction } = deps

  memberRoute(app, listNotifications, async ({ viewer, query }) => {
    const after = timeCursor.read(query.cursor)
    const rows = await listNotificationRows(db, viewer.id, { after, limit: PAGE + 1 })
    const { shown, next } = timeCursor.pageOf(rows, PAGE, ({ updatedAt: at, id }) => ({ at, id }))
    return {
      notifications: await viewNotifications(db, viewer, shown, clock()),
      next,
      unread: (await countUnreadRows(db, viewer.id)).unread,
    }
  })

  memberRoute(app, countUnread, ({ viewer }) => countUnreadRows(db, viewer.id))

  memberRoute(app, countBadge, async ({ viewer }) => ({ count: await countBadgeOf(db, viewer.id) }))

  memberRoute(app, readNotifications, async ({ viewer, body }) => {
    const until = body.until === undefined ? undefined : new Date(body.until)
    await transaction(async (unit) => {
      const read = await markRead(unit.tx, viewer.id, { ids: body.ids, until }, clock())
      if (read > 0) publishUnreadCount(unit, [viewer.id])
    })
    return countUnreadRows(db, viewer.id)
  })
}
