// What readers did with notices: opened them, closed their bars.
import { and, asc, desc, eq, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { noticeMarks, noticeReadDays, notices, notifications } from '#server/store/tables/notifications.ts'
import type { ShownNotice } from './notices.ts'

interface OfPerson {
  readonly noticeId: string
  readonly userId: string
}

/** Counts a person as a reader on a day, once. @returns whether they had not opened it before */
export async function addReading(tx: Db, { noticeId, userId }: OfPerson, day: string): Promise<boolean> {
  const added = await tx
    .insert(noticeMarks)
    .values({ noticeId, userId, readOn: day })
    .onConflictDoUpdate({
      target: [noticeMarks.noticeId, noticeMarks.userId],
      set: { readOn: day },
      setWhere: isNull(noticeMarks.readOn),
    })
    .returning({ id: noticeMarks.noticeId })
  if (added.length === 0) return false
  await tx
    .insert(noticeReadDays)
    .values({ noticeId, day, readers: 1 })
    .onConflictDoUpdate({
      target: [noticeReadDays.noticeId, noticeReadDays.day],
      set: { readers: sql`${noticeReadDays.readers} + 1` },
    })
  return true
}

/** Marks a person's notification of a notice as read. @returns whether it was unread */
export async function readNotification(
  tx: Db,
  { noticeId, userId }: OfPerson,
  now: number,
): Promise<boolean> {
  const read = await tx
    .update(notifications)
    .set({ readAt: new Date(now) })
    .where(
      and(
        eq(notifications.userId, userId),
        eq(notifications.groupKey, `notice:${noticeId}`),
        isNull(notifications.readAt),
      ),
    )
    .returning({ id: notifications.id })
  return read.length > 0
}

/** Records that a person closed the bar of a notice; a repeat changes nothing. */
export async function closeBarOf(tx: Db, { noticeId, userId }: OfPerson, now: number): Promise<void> {
  const closedAt = new Date(now)
  await tx
    .insert(noticeMarks)
    .values({ noticeId, userId, closedAt })
    .onConflictDoUpdate({
      target: [noticeMarks.noticeId, noticeMarks.userId],
      set: { closedAt },
      setWhere: isNull(noticeMarks.closedAt),
    })
}

/** Readers of a notice by the day on which they opened it first, the earliest first. */
export function listReadDays(db: Db, noticeId: string): Promise<{ day: string; readers: number }[]> {
  return db
    .select({ day: noticeReadDays.day, readers: noticeReadDays.readers })
    .from(noticeReadDays)
    .where(eq(noticeReadDays.noticeId, noticeId))
    .orderBy(asc(noticeReadDays.day))
}

/** Urgent notices whose bar is due, read at most; the audience of each is still to be checked. */
const BARS_READ = 20

/**
 * Urgent notices that are shown now, the newest first.
 * @param userId without those whose bar this person has closed; null for a visitor, who gets those for everyone
 */
export async function listUrgent(db: Db, userId: string | null, now: number): Promise<ShownNotice[]> {
  const at = new Date(now)
  const closed = sql`exists (select 1 from ${noticeMarks} where ${noticeMarks.noticeId} = ${notices.id} and ${noticeMarks.userId} = ${userId} and ${noticeMarks.closedAt} is not null)`
  const rows = await db
    .select()
    .from(notices)
    .where(
      and(
        sql`${notices.isUrgent}`,
        inArray(notices.state, ['publishing', 'stopped', 'published']),
        lte(notices.publishedAt, at),
        or(isNull(notices.barUntil), sql`${notices.barUntil} > ${at.toISOString()}::timestamptz`),
        userId === null ? eq(notices.audience, 'all') : sql`not ${closed}`,
      ),
    )
    .orderBy(desc(notices.publishedAt), desc(notices.id))
    .limit(BARS_READ)
  return rows.flatMap((row) => (row.publishedAt === null ? [] : [{ ...row, publishedAt: row.publishedAt }]))
}

/** Deletes the marks of notices that were published before a moment, except of urgent ones without an end. */
export async function removeMarksBefore(db: Db, before: number): Promise<void> {
  const old = db
    .select({ id: notices.id })
    .from(notices)
    .where(
      and(
        lt(notices.publishedAt, new Date(before)),
        or(sql`not ${notices.isUrgent}`, lt(notices.barUntil, new Date(before))),
      ),
    )
  await db.delete(noticeMarks).where(inArray(noticeMarks.noticeId, old))
}
