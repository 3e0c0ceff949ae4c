// Lines of notifications: gathering acts in them, taking acts back, reading them, counting the unread.
import { type AnyColumn, and, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { UNREAD_CAP } from '#contract/notifications.ts'
import { notApart } from './blocks.ts'
import type { Db } from './database.ts'
import { notMuted } from './mutes.ts'
import { isPresent } from './people.ts'
import { momentOf, statement, type Types } from './statement.ts'
import { notificationActors as actors, notifications as lines } from './tables/notifications.ts'
import { posts } from './tables/posts.ts'

export type LineRow = typeof lines.$inferSelect
export type NewLine = Omit<LineRow, 'createdAt' | 'updatedAt' | 'readAt' | 'toldAt'>

/** A line that gathers more acts tells the person's devices again after this, ms. */
const TELL_AGAIN_MS = 10 * 60_000

export interface Gathered {
  readonly id: string
  /** This act began the line. */
  readonly fresh: boolean
  /** It was not to be seen before, or a while has passed since devices were told. */
  readonly tells: boolean
  /** It was not there for its person before, and is now. */
  readonly appeared: boolean
}

interface Gathering {
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
  /** Told before this, devices may be told again. */
  readonly due: string
}

const gatheringTypes: Types<Gathering> = {
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

const gathering = statement<Gathering, { id: string; again: boolean; alone: boolean }>(
  gatheringTypes,
  (it) => sql`
    with line as (
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
      select id, ${it('idol')}, ${it('at')} from line where ${it('idol')} is not null
      on conflict (notification_id, actor_id) do update set at = excluded.at
    )
    select id, again, not exists (
      select 1 from notification_actors other where other.notification_id = line.id and other.actor_id <> ${it('idol')}
    ) as alone from line`,
)

/** Puts an act into the person's open line of its key, or begins one. Inside a transaction. */
export async function gather(tx: Db, line: NewLine, now: number): Promise<Gathered> {
  const [row] = await gathering(tx, {
    id: line.id,
    user: line.userId,
    code: line.settingCd,
    key: line.groupKey,
    idol: line.idolId,
    target: line.targetId,
    sub1: line.targetSub1Id,
    sub2: line.targetSub2Id,
    toUser: line.toUserId,
    inApp: line.inApp,
    at: momentOf(now),
    due: momentOf(now - TELL_AGAIN_MS),
  })
  if (!row) throw new Error('a line was neither made nor found')
  const fresh = row.id === line.id
  return { id: row.id, fresh, tells: fresh || row.again, appeared: fresh || row.alone }
}

/** Begins the same line for many people who have none of its key. @returns those it is new for */
export async function gatherForMany(
  tx: Db,
  news: readonly NewLine[],
  now: number,
): Promise<{ id: string; userId: string }[]> {
  if (news.length === 0) return []
  const at = new Date(now)
  const made = await tx
    .insert(lines)
    .values(news.map((line) => ({ ...line, createdAt: at, updatedAt: at, toldAt: at })))
    .onConflictDoNothing({ target: [lines.userId, lines.groupKey], where: isNull(lines.readAt) })
    .returning({ id: lines.id, userId: lines.userId, idolId: lines.idolId })
  const who = made.flatMap((it) =>
    it.idolId === null ? [] : [{ notificationId: it.id, actorId: it.idolId, at }],
  )
  if (who.length > 0) await tx.insert(actors).values(who)
  return made
}

/**
 * Which of these people have a line of this key, read or not.
 * @returns by their ids, whether their list shows it
 */
export async function linesOf(
  db: Db,
  groupKey: string,
  userIds: readonly string[],
): Promise<Map<string, boolean>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .select({ id: lines.userId, inApp: sql<boolean>`bool_or(${lines.inApp})` })
    .from(lines)
    .where(and(inArray(lines.userId, [...userIds]), eq(lines.groupKey, groupKey)))
    .groupBy(lines.userId)
  return new Map(rows.map((it) => [it.id, it.inApp]))
}

/** Somebody took an act back: they leave the line, read or not. @returns whether an unread one stands empty now */
export async function takeActorOut(
  tx: Db,
  of: { readonly userId: string; readonly groupKey: string; readonly actorId: string },
): Promise<boolean> {
  const mine = tx
    .select({ id: lines.id })
    .from(lines)
    .where(and(eq(lines.userId, of.userId), eq(lines.groupKey, of.groupKey)))
  const out = await tx
    .delete(actors)
    .where(and(inArray(actors.notificationId, mine), eq(actors.actorId, of.actorId)))
    .returning({ id: actors.notificationId })
  if (out.length === 0) return false
  const ids = out.map((it) => it.id)
  const left = await tx
    .select({ id: lines.id })
    .from(lines)
    .where(
      and(
        inArray(lines.id, ids),
        isNull(lines.readAt),
        sql`not exists (select 1 from ${actors} where ${actors.notificationId} = ${lines.id})`,
      ),
    )
  return left.length > 0
}

/** A comment is gone, and with it every line about it. @returns whose unread lines went */
export async function forgetComment(tx: Db, postId: string, commentId: string): Promise<string[]> {
  const gone = await tx
    .delete(lines)
    .where(and(eq(lines.targetId, postId), eq(lines.targetSub1Id, commentId)))
    .returning({ userId: lines.userId, readAt: lines.readAt })
  return [...new Set(gone.filter((it) => it.readAt === null).map((it) => it.userId))]
}

/** For a where clause: the viewer sees the person this column names, and wants to. */
export const seenBy = (viewer: string | SQL | AnyColumn, person: AnyColumn): SQL | undefined =>
  and(isPresent(person), notApart(sql`${viewer}`, person), notMuted(sql`${viewer}`, person))

/**
 * For a where clause over lines: the line is there for its person. Somebody they see did it, or it is the service's own;
 * and the announcement of a post, and who is named in it, go with the post.
 */
export function isThere(): SQL {
  return sql`(${lines.inApp}
    and (${lines.idolId} is null or exists (
      select 1 from ${actors} where ${actors.notificationId} = ${lines.id} and ${seenBy(lines.userId, actors.actorId)}))
    and not (${lines.settingCd} in ('post', 'plan_post', 'mention') and exists (
      select 1 from ${posts} where ${posts.id} = ${lines.targetId} and ${posts.deletedAt} is not null)))`
}

const unreadCounts = statement<{ ids: readonly string[] }, { id: string; unread: number }>(
  { ids: 'uuid[]' },
  (it) => sql`
    select who.id, (select count(*)::int from (
      select 1 from ${lines} where ${lines.userId} = who.id and ${lines.readAt} is null and ${isThere()}
      limit ${sql.raw(String(UNREAD_CAP))}
    ) as counted) as unread
    from unnest(${it('ids')}) as who(id)`,
)

/** How many unread lines each of these people has, up to `UNREAD_CAP`. */
export async function countUnreadOf(db: Db, userIds: readonly string[]): Promise<Map<string, number>> {
  if (userIds.length === 0) return new Map()
  const rows = await unreadCounts(db, { ids: [...new Set(userIds)] })
  return new Map(rows.map((row) => [row.id, row.unread]))
}

export async function countUnread(db: Db, userId: string): Promise<number> {
  return (await countUnreadOf(db, [userId])).get(userId) ?? 0
}

/** Marks a person's lines as read: these, those up to a moment, or all. @returns how many were unread */
export async function markRead(
  db: Db,
  userId: string,
  which: { readonly ids?: readonly string[] | undefined; readonly until?: Date | undefined },
  now: number,
): Promise<number> {
  const read = await db
    .update(lines)
    .set({ readAt: new Date(now) })
    .where(
      and(
        eq(lines.userId, userId),
        isNull(lines.readAt),
        which.ids && inArray(lines.id, [...which.ids]),
        which.until && lte(lines.updatedAt, which.until),
      ),
    )
    .returning({ id: lines.id })
  return read.length
}
