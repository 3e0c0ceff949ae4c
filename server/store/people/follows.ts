// Follows: adds, removes, counts and lists them.
import { and, desc, eq, sql } from 'drizzle-orm'
import { lockPair, notBlocked, blockedAmong } from './blocks.ts'
import type { Db } from '#server/store/database.ts'
import { isPresent } from './people.ts'
import { follows, personCounts } from '#server/store/tables/people.ts'

/** Follows a person, unless one of the two has blocked the other. */
export async function addFollow(
  db: Db,
  followerId: string,
  followedId: string,
  now: number,
): Promise<'created' | 'exists' | 'blocked'> {
  return db.transaction(async (tx) => {
    await lockPair(tx, followerId, followedId)
    if ((await blockedAmong(tx, followerId, [followedId])).size > 0) return 'blocked'
    const created = await tx
      .insert(follows)
      .values({ followerId, followedId, createdAt: new Date(now) })
      .onConflictDoNothing()
      .returning({ id: follows.followedId })
    return created.length === 1 ? 'created' : 'exists'
  })
}

/** @returns false when there was no follow */
export async function removeFollow(db: Db, followerId: string, followedId: string): Promise<boolean> {
  const ended = await db
    .delete(follows)
    .where(and(eq(follows.followerId, followerId), eq(follows.followedId, followedId)))
    .returning({ id: follows.followedId })
  return ended.length === 1
}

export async function isFollowing(db: Db, followerId: string, followedId: string): Promise<boolean> {
  const own = and(eq(follows.followerId, followerId), eq(follows.followedId, followedId))
  return (await db.$count(follows, own)) > 0
}

export interface FollowState {
  readonly followers: number
  readonly version: number
  /** Whether the viewer follows them. */
  readonly following: boolean
}

/** How many follow a person, and whether the viewer does, at one moment. */
export async function followStateOf(db: Db, userId: string, viewerId: string): Promise<FollowState> {
  const rows = await db
    .select({
      followers: personCounts.followers,
      version: personCounts.version,
      following: sql<boolean>`${follows.followerId} is not null`,
    })
    .from(personCounts)
    .leftJoin(follows, and(eq(follows.followedId, personCounts.userId), eq(follows.followerId, viewerId)))
    .where(eq(personCounts.userId, userId))
  return rows[0] ?? { followers: 0, version: 0, following: false }
}

export interface FollowPlace {
  readonly at: Date
  readonly id: string
}

interface FollowPage {
  /** The person whose list it is. */
  readonly of: string
  readonly list: 'followers' | 'following'
  readonly viewerId: string
  readonly after: FollowPlace | undefined
  readonly limit: number
}

/** The people in a list who are present and not blocked for the viewer, the latest first; ids break ties. */
export async function listFollowPlaces(db: Db, page: FollowPage): Promise<FollowPlace[]> {
  const { after } = page
  const [mine, theirs] =
    page.list === 'followers'
      ? [follows.followedId, follows.followerId]
      : [follows.followerId, follows.followedId]
  return db
    .select({ id: theirs, at: follows.createdAt })
    .from(follows)
    .where(
      and(
        eq(mine, page.of),
        isPresent(theirs),
        notBlocked(page.viewerId, theirs),
        after &&
          sql`(${follows.createdAt}, ${theirs}) < (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(follows.createdAt), desc(theirs))
    .limit(page.limit)
}
