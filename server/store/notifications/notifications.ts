// Writes notifications: groups events, retracts actors, marks as read, counts unread ones.
import { type AnyColumn, and, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { UNREAD_CAP, type UnreadCount } from '#contract/notifications/notifications.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import type { Db } from '#server/store/database.ts'
import { notMuted } from '#server/store/people/mutes.ts'
import { isPresent } from '#server/store/people/people.ts'
import { momentOf, statement, type Types } from '#server/store/statement.ts'
import { notificationActors as actors, notifications, notices } from '#server/store/tables/notifications.ts'
import { posts } from '#server/store/tables/posts.ts'

export type NotificationRow = typeof notifications.$inferSelect
export type NewNotification = Omit<NotificationRow, 'createdAt' | 'updatedAt' | 'readAt' | 'toldAt'>

/** Further events of a notification alert the recipient's devices again after this, ms. */
const ALERT_AGAIN_MS = 10 * 60_000

export interface Upserted {
  readonly id: string
  /** Whether the event created the row. */
  readonly created: boolean
  /** Whether to alert the devices: the row is new, or the last alert is `ALERT_AGAIN_MS` ago. */
  readonly alerts: boolean
  /** Whether the recipient's list did not show it before. */
  readonly appeared: boolean
}

interface UpsertValues {
  readonly id: string
  readonly user: string
  readonly code: string
  readonly key: string
  readonly idol: string | null
  readonly target: string | null
  readonly sub1: string | null
  readonly sub2: string | null
  readonly toUser: string | null
  readonly inApp: boolean
  readonly at: string
  /** The devices are alerted again if the last alert was before this. */
  readonly due: string
}

const upsertTypes: Types<UpsertValues> = {
  id: 'uuid',
  user: 'uuid',
  code: 'text',
  key: 'text',
  idol: 'uuid',
  target: 'uuid',
  sub1: 'uuid',
  sub2: 'uuid',
  toUser: 'uuid',
  inApp: 'boolean',
  at: 'timestamptz',
  due: 'timestamptz',
}

const upsert = statement<UpsertValues, { id: string; again: boolean; alone: boolean }>(
  upsertTypes,
  (it) => sql`
    with upserted as (
      insert into notifications (id, user_id, setting_cd, group_key, idol_id, target_id, target_sub_1_id,
        target_sub_2_id, to_user_id, in_app, created_at, updated_at, told_at)
      values (${it('id')}, ${it('user')}, ${it('code')}, ${it('key')}, ${it('idol')}, ${it('target')}, ${it('sub1')},
        ${it('sub2')}, ${it('toUser')}, ${it('inApp')}, ${it('at')}, ${it('at')}, ${it('at')})
      on conflict (user_id, group_key) where read_at is null do update set
        idol_id = excluded.idol_id,
        updated_at = excluded.updated_at,
        in_app = notifications.in_app or excluded.in_app,
        told_at = case when notifications.told_at <= ${it('due')} then excluded.told_at else notifications.told_at end
      returning id, told_at = updated_at and created_at <= ${it('due')} as again
    ), actor as (
      insert into notification_actors (notification_id, actor_id, at)
      select id, ${it('idol')}, ${it('at')} from upserted where ${it('idol')} is not null
      on conflict (notification_id, actor_id) do update set at = excluded.at
    )
    select id, again, not exists (
      select 1 from notification_actors other where other.notification_id = upserted.id and other.actor_id <> ${it('idol')}
    ) as alone from upserted`,
)

/** Adds an event to the recipient's unread notification of its group key, or creates one. Inside a transaction. */
export async function upsertNotification(tx: Db, it: NewNotification, now: number): Promise<Upserted> {
  const [row] = await upsert(tx, {
    id: it.id,
    user: it.userId,
    code: it.settingCd,
    key: it.groupKey,
    idol: it.idolId,
    target: it.targetId,
    sub1: it.targetSub1Id,
    sub2: it.targetSub2Id,
    toUser: it.toUserId,
    inApp: it.inApp,
    at: momentOf(now),
    due: momentOf(now - ALERT_AGAIN_MS),
  })
  if (!row) throw new Error('the notification was neither inserted nor updated')
  const created = row.id === it.id
  return { id: row.id, created, alerts: created || row.again, appeared: created || row.alone }
}

/** Adds notifications for people who have no unread one of the same group key. @returns the added ones */
export async function addNotifications(
  tx: Db,
  all: readonly NewNotification[],
  now: number,
): Promise<{ id: string; userId: string }[]> {
  if (all.length === 0) return []
  const at = new Date(now)
  const added = await tx
    .insert(notifications)
    .values(all.map((it) => ({ ...it, createdAt: at, updatedAt: at, toldAt: at })))
    .onConflictDoNothing({
      target: [notifications.userId, notifications.groupKey],
      where: isNull(notifications.readAt),
    })
    .returning({ id: notifications.id, userId: notifications.userId, idolId: notifications.idolId })
  const who = added.flatMap((it) =>
    it.idolId === null ? [] : [{ notificationId: it.id, actorId: it.idolId, at }],
  )
  if (who.length > 0) await tx.insert(actors).values(who)
  return added
}

/**
 * Which of these people have a notification of this group key, read or not.
 * @returns for each id of such a person, whether their list shows the notification
 */
export async function findNotified(
  db: Db,
  groupKey: string,
  userIds: readonly string[],
): Promise<Map<string, boolean>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .select({ id: notifications.userId, inApp: sql<boolean>`bool_or(${notifications.inApp})` })
    .from(notifications)
    .where(and(inArray(notifications.userId, [...userIds]), eq(notifications.groupKey, groupKey)))
    .groupBy(notifications.userId)
  return new Map(rows.map((it) => [it.id, it.inApp]))
}

/** Removes an actor from a notification, read or not. @returns whether an unread one has no actor left */
export async function removeActor(
  tx: Db,
  of: { readonly userId: string; readonly groupKey: string; readonly actorId: string },
): Promise<boolean> {
  const mine = tx
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(eq(notifications.userId, of.userId), eq(notifications.groupKey, of.groupKey)))
  const removed = await tx
    .delete(actors)
    .where(and(inArray(actors.notificationId, mine), eq(actors.actorId, of.actorId)))
    .returning({ id: actors.notificationId })
  if (removed.length === 0) return false
  const ids = removed.map((it) => it.id)
  const left = await tx
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(
        inArray(notifications.id, ids),
        isNull(notifications.readAt),
        sql`not exists (select 1 from ${actors} where ${actors.notificationId} = ${notifications.id})`,
      ),
    )
  return left.length > 0
}

/** Deletes the notifications of a deleted comment. @returns the recipients of those that were unread */
export async function removeCommentNotifications(
  tx: Db,
  postId: string,
  commentId: string,
): Promise<string[]> {
  const deleted = await tx
    .delete(notifications)
    .where(and(eq(notifications.targetId, postId), eq(notifications.targetSub1Id, commentId)))
    .returning({ userId: notifications.userId, readAt: notifications.readAt })
  return [...new Set(deleted.filter((it) => it.readAt === null).map((it) => it.userId))]
}

/** For a where clause: the person in this column is present, not blocked and not muted. */
export const isVisiblePerson = (viewer: string | SQL | AnyColumn, person: AnyColumn): SQL | undefined =>
  and(isPresent(person), notBlocked(sql`${viewer}`, person), notMuted(sql`${viewer}`, person))

/** For a where clause over notifications: the row is about a notice that readers do not see any more. */
const isRetractedNotice = (): SQL =>
  sql`(${notifications.settingCd} = 'notice' and not exists (
      select 1 from ${notices} where ${notices.id} = ${notifications.targetId} and ${notices.state} in ('publishing', 'stopped', 'published')))`

/**
 * For a where clause over notifications: the recipient's list shows the row. It needs a visible actor, or none at all;
 * the broadcast and the mentions of a deleted post, and withdrawn notices, are not shown.
 */
export function isVisible(): SQL {
  return sql`(${notifications.inApp}
    and (${notifications.idolId} is null or exists (
      select 1 from ${actors} where ${actors.notificationId} = ${notifications.id} and ${isVisiblePerson(notifications.userId, actors.actorId)}))
    and not ${isRetractedNotice()}
    and not (${notifications.settingCd} in ('post', 'plan_post', 'mention') and exists (
      select 1 from ${posts} where ${posts.id} = ${notifications.targetId} and ${posts.deletedAt} is not null)))`
}

/**
 * Grows with each commit that the statement sees, so that of two counts the later one is known. Not inside a transaction that
 * has written, whose own changes no snapshot names.
 */
const versionOfRead = sql.raw(`(pg_snapshot_xmax(pg_current_snapshot())::text::bigint * 4096
  - least(4095, (select count(*) from pg_snapshot_xip(pg_current_snapshot()))))::float8`)

const unreadCounts = statement<{ ids: readonly string[] }, { id: string } & Required<UnreadCount>>(
  { ids: 'uuid[]' },
  (it) => sql`
    select who.id, (select count(*)::int from (
      select 1 from ${notifications} where ${notifications.userId} = who.id and ${notifications.readAt} is null and ${isVisible()}
      limit ${sql.raw(String(UNREAD_CAP))}
    ) as counted) as unread, ${versionOfRead} as version
    from unnest(${it('ids')}) as who(id)`,
)

/** How many unread notifications each of these people has, up to `UNREAD_CAP`. */
export async function countUnreadOf(db: Db, userIds: readonly string[]): Promise<Map<string, UnreadCount>> {
  if (userIds.length === 0) return new Map()
  const rows = await unreadCounts(db, { ids: [...new Set(userIds)] })
  return new Map(rows.map(({ id, ...count }) => [id, count]))
}

export async function countUnread(db: Db, userId: string): Promise<UnreadCount> {
  return (await countUnreadOf(db, [userId])).get(userId) ?? { unread: 0 }
}

/** Marks a person's notifications as read: these, those up to a moment, or all. @returns how many were unread */
export async function markRead(
  db: Db,
  userId: string,
  which: { readonly ids?: readonly string[] | undefined; readonly until?: Date | undefined },
  now: number,
): Promise<number> {
  const read = await db
    .update(notifications)
    .set({ readAt: new Date(now) })
    .where(
      and(
        eq(notifications.userId, userId),
        isNull(notifications.readAt),
        which.ids && inArray(notifications.id, [...which.ids]),
        which.until && lte(notifications.updatedAt, which.until),
      ),
    )
    .returning({ id: notifications.id })
  return read.length
}
