// Deletes the notifications of a withdrawn notice, in batches.
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { notifications } from '#server/store/tables/notifications.ts'

/** @returns how many were deleted, and the people who had not read theirs */
export async function removeNotificationsOf(
  tx: Db,
  noticeId: string,
  limit: number,
): Promise<{ removed: number; unread: string[] }> {
  const some = tx
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(eq(notifications.targetId, noticeId), eq(notifications.settingCd, 'notice')))
    .limit(limit)
  const rows = await tx
    .delete(notifications)
    .where(inArray(notifications.id, some))
    .returning({ userId: notifications.userId, readAt: notifications.readAt })
  return { removed: rows.length, unread: rows.filter((it) => it.readAt === null).map((it) => it.userId) }
}
