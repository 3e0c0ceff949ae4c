// Reads notifications: a page of a person's list, one of them, and their actors.
import { and, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { isVisible, type NotificationRow, isVisiblePerson } from './notifications.ts'
import { notificationActors as actors, notifications as lines } from '#server/store/tables/notifications.ts'

interface LinePlace {
  readonly at: Date
  readonly id: string
}

/** A page of a person's list, the latest first; ids break ties. */
export async function listLines(
  db: Db,
  userId: string,
  page: { readonly after: LinePlace | undefined; readonly limit: number },
): Promise<NotificationRow[]> {
  const { after } = page
  return db
    .select()
    .from(lines)
    .where(
      and(
        eq(lines.userId, userId),
        isVisible(),
        after &&
          sql`(${lines.updatedAt}, ${lines.id}) < (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(lines.updatedAt), desc(lines.id))
    .limit(page.limit)
}

/**
 * A notification for a push or an email: unread and visible to its recipient, also where they turned the list off for
 * its kind.
 */
export async function findUnread(db: Db, id: string): Promise<NotificationRow | undefined> {
  const rows = await db
    .select()
    .from(lines)
    .where(and(eq(lines.id, id), isNull(lines.readAt), or(isVisible(), and(eq(lines.inApp, false), acted()))))
  return rows[0]
}

const acted = () =>
  or(
    isNull(lines.idolId),
    sql`exists (select 1 from ${actors} where ${actors.notificationId} = ${lines.id} and ${isVisiblePerson(lines.userId, actors.actorId)})`,
  )

export interface Actors {
  /** The latest first, a few of them. */
  readonly ids: readonly string[]
  readonly count: number
}

/** Actors of these notifications of one person, as far as they see them. */
export async function actorsOf(
  db: Db,
  userId: string,
  ids: readonly string[],
  most: number,
): Promise<Map<string, Actors>> {
  if (ids.length === 0) return new Map()
  const ranked = db
    .select({
      line: actors.notificationId,
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
    .orderBy(ranked.line, ranked.rank)
  const byLine = Map.groupBy(rows, (row) => row.line)
  return new Map(
    [...byLine].map(([line, some]) => [
      line,
      { ids: some.map((it) => it.actorId), count: some[0]?.count ?? 0 },
    ]),
  )
}

/** Lifetime of a read notification, and of one without actors or for devices only, ms. */
const READ_MS = 90 * 24 * 3600_000
const EMPTY_MS = 24 * 3600_000
const ELSEWHERE_MS = 7 * 24 * 3600_000

/** Removes a stretch of lines that have had their time. @returns how many went */
export async function removeOldLines(db: Db, now: number, limit: number): Promise<number> {
  const before = (life: number) => new Date(now - life)
  const old = db
    .select({ id: lines.id })
    .from(lines)
    .where(
      or(
        lt(lines.readAt, before(READ_MS)),
        and(eq(lines.inApp, false), lt(lines.createdAt, before(ELSEWHERE_MS))),
        and(
          lt(lines.updatedAt, before(EMPTY_MS)),
          sql`${lines.idolId} is not null`,
          sql`not exists (select 1 from ${actors} where ${actors.notificationId} = ${lines.id})`,
        ),
      ),
    )
    .limit(limit)
  const gone = await db.delete(lines).where(inArray(lines.id, old)).returning({ id: lines.id })
  return gone.length
}
