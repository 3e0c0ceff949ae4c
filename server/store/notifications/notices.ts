// Notices that the operator publishes to all people or all creators.
import { and, inArray, lte } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { notices } from '#server/store/tables/notifications.ts'

export type NoticeRow = typeof notices.$inferSelect

export async function addNotice(db: Db, notice: NoticeRow): Promise<void> {
  await db.insert(notices).values(notice)
}

/** The published ones of these notices, by id. */
export async function findPublished(
  db: Db,
  ids: readonly string[],
  now: number,
): Promise<Map<string, NoticeRow & { publishedAt: Date }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(notices)
    .where(and(inArray(notices.id, [...ids]), lte(notices.publishedAt, new Date(now))))
  return new Map(
    rows.flatMap((row) =>
      row.publishedAt === null ? [] : [[row.id, { ...row, publishedAt: row.publishedAt }]],
    ),
  )
}
