// Reads notifications: a page of a person's list, one of them, and their actors.
import { and, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { isVisible, type NotificationRow, isVisiblePerson } from './notifications.ts'
import { notificationActors as actors, notifications } from '#server/store/tables/notifications.ts'

interface NotificationPlace {
  readonly at: Date
  readonly id: string
}

/** A page of a person's list, the latest first; ids break ties. */
export async function listNotificationRows(
  db: Db,
  userId: string,
  page: { readonly after: NotificationPlace | undefined; readonly limit: number },
): Promise<NotificationRow[]> {
  const { after } = page
  return db
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        isVisible(),
        after &&
          sql`(${notifications.updatedAt}, ${notifications.id}) < (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(notifications.updatedAt), desc(notifications.id))
    .limit(page.limit)
}

/**
 * A notification for a push or an email: unread and visible to its recipient, also if they turned the list off for its
 * kind.
 */
export async function findUnread(db: Db, id: string): Promise<NotificationRow | undefined> {
  const rows = await db
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.id, id),
        isNull(notifications.readAt),
        or(isVisible(), and(eq(notifications.inApp, false), hasVisibleActor())),
      ),
    )
  return rows[0]
}

const hasVisibleActor = () =>
  or(
    isNull(notifications.idolId),
    sql`exists (select 1 from ${actors} where ${actors.notificationId} = ${notifications.id} and ${isVisiblePerson(notifications.userId, actors.actorId)})`,
  )

export interface Actors {
  /** The latest first, a few of them. */
  readonly ids: readonly string[]
  readonly count: number
}

/** The visible actors of these notifications of one person. */
export async function actorsOf(
  db: Db,
  userId: string,
  ids: readonly string[],
  most: number,
): Promise<Map<string, Actors>> {
  if (ids.length === 0) return new Map()
  const ranked = db
    .select({
      notificationId: actors.notificationId,
      actorId: actors.actorId,
      rank: sql<number>`row_number() over (partition by ${actors.notificationId} order by ${actors.at} desc, ${actors.actorId})::int`.as(
        'rank',
      ),
      count: sql<number>`count(*) over (partition by ${actors.notificationId})::int`.as('count'),
    })
    .from(actors)
    .where(and(inArray(actors.notificationId, [...ids]), isVisiblePerson(userId, actors.actorId)))
    .as('ranked')
  const rows = await db
    .select()
    .from(ranked)
    .where(sql`${ranked.rank} <= ${most}`)
    .orderBy(ranked.notificationId, ranked.rank)
  const byNotification = Map.groupBy(rows, (row) => row.notificationId)
  return new Map(
    [...byNotification].map(([notificationId, some]) => [
      notificationId,
      { ids: some.map((it) => it.actorId), count: some[0]?.count ?? 0 },
    ]),
  )
}

/** Lifetime of a read notification, and of one without actors or for devices only, ms. */
const READ_MS = 90 * 24 * 3600_000
const EMPTY_MS = 24 * 3600_000
const DEVICE_ONLY_MS = 7 * 24 * 3600_000

/** Removes a batch of notifications at the end of their lifetime. @returns how many were removed */
export async function removeOldNotifications(db: Db, now: number, limit: number): Promise<number> {
  const before = (life: number) => new Date(now - life)
  const old = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      or(
        lt(notifications.readAt, before(READ_MS)),
        and(eq(notifications.inApp, false), lt(notifications.createdAt, before(DEVICE_ONLY_MS))),
        and(
          lt(notifications.updatedAt, before(EMPTY_MS)),
          sql`${notifications.idolId} is not null`,
          sql`not exists (select 1 from ${actors} where ${actors.notificationId} = ${notifications.id})`,
        ),
      ),
    )
    .limit(limit)
  const removed = await db
    .delete(notifications)
    .where(inArray(notifications.id, old))
    .returning({ id: notifications.id })
  return removed.length
}
