// Relations of a viewer to other people (follow, mute, block), and suggested creators.
import { and, inArray, type SQL, sql } from 'drizzle-orm'
import { notBlocked } from './blocks.ts'
import { isUnlimited } from '#server/store/moderation/withheld.ts'
import type { Db } from '#server/store/database.ts'
import { notMuted } from './mutes.ts'
import { isPresent } from './people.ts'
import { follows, mutes, users } from '#server/store/tables/people.ts'
import { blocks } from '#server/store/tables/settings.ts'

export interface Relation {
  readonly following: boolean
  readonly followedBy: boolean
  readonly muted: boolean
  readonly blocked: boolean
  /** They have blocked the viewer: the viewer gets the reply for a person who does not exist. */
  readonly blockedBy: boolean
}

/** The relation of a viewer to each of these people, by id, read by one statement. */
export async function relationsOf(
  db: Db,
  viewerId: string,
  ids: readonly string[],
): Promise<Map<string, Relation>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({
      id: users.id,
      following: sql<boolean>`exists (select 1 from ${follows} as f where f.follower_id = ${viewerId} and f.followed_id = ${users.id})`,
      followedBy: sql<boolean>`exists (select 1 from ${follows} as f where f.followed_id = ${viewerId} and f.follower_id = ${users.id})`,
      muted: sql<boolean>`exists (select 1 from ${mutes} as m where m.muter_id = ${viewerId} and m.muted_id = ${users.id})`,
      blocked: sql<boolean>`exists (select 1 from ${blocks} as b where b.blocker_id = ${viewerId} and b.blocked_id = ${users.id})`,
      blockedBy: sql<boolean>`exists (select 1 from ${blocks} as b where b.blocked_id = ${viewerId} and b.blocker_id = ${users.id})`,
    })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]))
  return new Map(rows.map(({ id, ...relation }) => [id, relation]))
}

/** For a where clause: the person in this column may be suggested to a viewer. */
const isSuggestable = (viewerId: string, person: SQL) => sql`${person} <> ${viewerId}
      and exists (select 1 from posts where author_id = ${person} and released_at is not null and deleted_at is null)
      and not exists (select 1 from follows f where f.follower_id = ${viewerId} and f.followed_id = ${person})
      and ${isPresent(person)} and ${isUnlimited(person)} and ${notBlocked(viewerId, person)} and ${notMuted(viewerId, person)}`

/** Those of these people who may be suggested to a viewer now. */
export async function suggestableNow(db: Db, viewerId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, [...ids]), isSuggestable(viewerId, sql`${users.id}`)))
  return new Set(rows.map((row) => row.id))
}

/** Candidates from each source: enough to choose from, few enough to sort. */
const MAX_CANDIDATES = 200

/**
 * Creators to suggest to a person: first those whom followed people follow, then those with many followers. They are
 * present, have a released post, and are not followed, muted or blocked.
 */
export async function listSuggested(db: Db, viewerId: string, limit: number): Promise<string[]> {
  const candidate = sql.raw('c.id')
  const rows = await db.execute(sql`
    with mine as (
      select followed_id from follows where follower_id = ${viewerId} order by created_at desc limit ${MAX_CANDIDATES}
    ), near as (
      select f.followed_id as id, count(*) as friends from follows f join mine on mine.followed_id = f.follower_id
      group by f.followed_id order by friends desc limit ${MAX_CANDIDATES}
    ), popular as (
      select user_id as id from person_counts order by followers desc limit ${MAX_CANDIDATES}
    ), recent as (
      select author_id as id from posts where released_at is not null and deleted_at is null
      order by released_at desc limit ${MAX_CANDIDATES}
    ), candidates as (select id from near union select id from popular union select id from recent)
    select c.id from candidates c
    left join near on near.id = c.id
    left join person_counts p on p.user_id = c.id
    where not exists (select 1 from mine where mine.followed_id = c.id) and ${isSuggestable(viewerId, candidate)}
    order by coalesce(near.friends, 0) desc, coalesce(p.followers, 0) desc, c.id
    limit ${limit}`)
  return (rows as { rows: { id: string }[] }).rows.map((row) => row.id)
}
