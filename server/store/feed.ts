// The feeds of home: which posts stand in each, newest first. Ids break ties.
import { and, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { FeedKind } from '#contract/feed-kinds.ts'
import { notApart } from './blocks.ts'
import type { Db } from './database.ts'
import { notMuted } from './mutes.ts'
import { isPresent } from './people.ts'
import { joinedNow } from './plans.ts'
import type { PageStart, PostRow } from './posts.ts'
import { follows } from './tables/people.ts'
import { planMembers, plans } from './tables/plans.ts'
import { postPlans, posts } from './tables/posts.ts'

/** A stretch of a feed: what is older than `after`, or newer than `before`. */
interface Stretch {
  readonly after?: PageStart | undefined
  readonly before?: PageStart | undefined
  readonly limit: number
}

const placeOf = ({ releasedAt, id }: PageStart) =>
  sql`(${releasedAt.toISOString()}::timestamptz, ${id}::uuid)`

function within({ after, before }: Stretch): SQL | undefined {
  const place = sql`(${posts.releasedAt}, ${posts.id})`
  return and(
    isNotNull(posts.releasedAt),
    isNull(posts.deletedAt),
    after && sql`${place} < ${placeOf(after)}`,
    before && sql`${place} > ${placeOf(before)}`,
  )
}

const newestFirst = [desc(posts.releasedAt), desc(posts.id)] as const

/** People the viewer may read in a list: there, not apart, not muted. */
const readable = (viewerId: string, person: Parameters<typeof isPresent>[0]) =>
  and(isPresent(person), notApart(viewerId, person), notMuted(viewerId, person))

/** The newest ids of each of these authors, merged: however many posts there are, each author costs one look at an index. */
function mergedFrom(authors: SQL, more: SQL | undefined, stretch: Stretch): SQL {
  return sql`select id from (${authors}) as who cross join lateral (
      select ${posts.id}, ${posts.releasedAt} from ${posts}
      where ${and(sql`${posts.authorId} = who.author_id`, within(stretch), more)}
      order by ${posts.releasedAt} desc, ${posts.id} desc limit ${stretch.limit}
    ) as theirs order by released_at desc, id desc limit ${stretch.limit}`
}

function followedBy(viewerId: string): SQL {
  const followed = sql`select ${follows.followedId} as author_id from ${follows} where ${and(
    eq(follows.followerId, viewerId),
    readable(viewerId, follows.followedId),
  )}`
  return sql`${followed} union select ${viewerId}::uuid`
}

function creatorsJoined(viewerId: string, now: number): SQL {
  return sql`select distinct ${plans.creatorId} as author_id from ${planMembers}
    join ${plans} on ${plans.id} = ${planMembers.planId}
    where ${and(joinedNow(viewerId, now), readable(viewerId, plans.creatorId))}`
}

const opened = (viewerId: string, now: number) =>
  and(
    eq(posts.type, 2),
    sql`exists (select 1 from ${postPlans} join ${planMembers} on ${planMembers.planId} = ${postPlans.planId}
      where ${and(eq(postPlans.postId, posts.id), joinedNow(viewerId, now))})`,
  )

function idsOf(kind: FeedKind, viewerId: string, now: number, stretch: Stretch): SQL {
  switch (kind) {
    case 'following':
      return mergedFrom(followedBy(viewerId), undefined, stretch)
    case 'plans':
      return mergedFrom(creatorsJoined(viewerId, now), opened(viewerId, now), stretch)
    case 'latest':
      return sql`select ${posts.id} from ${posts}
        where ${and(within(stretch), readable(viewerId, posts.authorId))}
        order by ${posts.releasedAt} desc, ${posts.id} desc limit ${stretch.limit}`
    default:
      return kind satisfies never
  }
}

/** A page of a feed. */
export async function listFeedPosts(
  db: Db,
  kind: FeedKind,
  viewerId: string,
  now: number,
  page: { after: PageStart | undefined; limit: number },
): Promise<PostRow[]> {
  return db
    .select()
    .from(posts)
    .where(sql`${posts.id} in (${idsOf(kind, viewerId, now, page)})`)
    .orderBy(...newestFirst)
}

/** How many posts of a feed are newer than a place, up to a limit. */
export async function countFeedPosts(
  db: Db,
  kind: FeedKind,
  viewerId: string,
  now: number,
  page: { before: PageStart | undefined; limit: number },
): Promise<number> {
  const [row] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(sql`(${idsOf(kind, viewerId, now, page)}) as newer`)
  return row?.n ?? 0
}
