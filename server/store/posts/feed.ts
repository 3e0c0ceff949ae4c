// Reads the home feeds, newest post first; ids break ties.
import { and, eq, isNotNull, ne, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { FeedKind } from '#contract/posts/feed-kinds.ts'
import { isUnlimited } from '#server/store/moderation/withheld.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import type { Db } from '#server/store/database.ts'
import { notMuted } from '#server/store/people/mutes.ts'
import { isPresent } from '#server/store/people/people.ts'
import { joinedNow, opensReleased, planGrants } from '#server/store/plans/plans.ts'
import {
  factsOf,
  type FactsRow,
  guarded,
  type GuardRow,
  guardsOf,
  type Look,
  lookOf,
  lookTypes,
  type PostFacts,
  type PostsById,
  toFacts,
} from './post-facts.ts'
import { type OlderThan, olderThan, olderTypes, type PageStart } from './posts.ts'
import { momentOf, type Params, statement } from '#server/store/statement.ts'
import { follows } from '#server/store/tables/people.ts'
import { plans } from '#server/store/tables/plans.ts'
import { postPlans, posts } from '#server/store/tables/posts.ts'

/** Parameters of a feed: viewer, time and bounds. Posts are older than `olderAt` and newer than `newerAt`. */
interface FeedRange extends Look, OlderThan {
  readonly newerAt: string
  readonly newerId: string
}
type Param = Params<FeedRange>
const types = { ...lookTypes, ...olderTypes, newerAt: 'timestamptz', newerId: 'uuid' } as const

const noNewerBound = { newerAt: '-infinity', newerId: '00000000-0000-0000-0000-000000000000' }

function within(param: Param): SQL | undefined {
  const where = sql`(${posts.releasedAt}, ${posts.id})`
  return and(
    isNotNull(posts.releasedAt),
    isNull(posts.deletedAt),
    sql`${where} < (${param('olderAt')}, ${param('olderId')})`,
    sql`${where} > (${param('newerAt')}, ${param('newerId')})`,
  )
}

/** For a where clause: lists show posts of this person. They are present, not blocked and not muted. */
const isListed = (viewer: SQL, person: Parameters<typeof isPresent>[0]) =>
  and(isPresent(person), notBlocked(viewer, person), notMuted(viewer, person))

const isNotDeleted = (author: SQL): SQL =>
  sql`exists (select 1 from users where users.id = ${author} and users.deleted_at is null)`

/** An author's newest posts in a range. */
const newestOf = (author: string, more: SQL | undefined, param: Param, limit: number): SQL =>
  sql`select ${posts.id}, ${posts.releasedAt} from ${posts}
    where ${and(sql`${posts.authorId} = ${sql.raw(author)}.author_id`, within(param), more)}
    order by ${posts.releasedAt} desc, ${posts.id} desc limit ${sql.raw(String(limit))}`

/** The authors whose posts a feed may have. */
interface Authors {
  /** A select of each author once, as `author_id`. */
  readonly all: SQL
  /** For a where clause: the feed shows posts of this author. */
  readonly isListed: (author: SQL) => SQL | undefined
}

/**
 * Selects the newest posts of these authors without reading all their posts: only the `limit` authors with the latest
 * posts can be on a page. It reads each author's newest post from the index; takes authors by its time, latest first, until
 * `limit` of them are listed; and merges their posts down to the earliest of these newest posts. `offset 0` lets
 * PostgreSQL check no more authors than that.
 */
function mergedFrom(authors: Authors, more: SQL | undefined, param: Param, limit: number): SQL {
  const newest = sql.raw('released_at desc, id desc')
  const atMost = sql.raw(`limit ${limit}`)
  const ranked = sql`select who.author_id, latest.released_at, latest.id from (${authors.all}) as who
      cross join lateral (${newestOf('who', more, param, 1)}) as latest order by ${newest} offset 0`
  const recent = sql`select ranked.author_id, ranked.released_at from (${ranked}) as ranked
      where ${authors.isListed(sql.raw('ranked.author_id'))} order by ${newest} ${atMost}`
  const bounded = sql`select author_id,
      case when count(*) over () = ${sql.raw(String(limit))} then min(released_at) over () else '-infinity' end as oldest
    from (${recent}) as latest`
  const notOlder = and(sql`${posts.releasedAt} >= recent.oldest`, more)
  return sql`select theirs.id, theirs.released_at from (${bounded}) as recent
    cross join lateral (${newestOf('recent', notOlder, param, limit)}) as theirs
    order by theirs.released_at desc, theirs.id desc ${atMost}`
}

/** The people whom the viewer follows, and the viewer. */
const followedAndSelf = (viewer: SQL): Authors => ({
  all: sql`select ${follows.followedId} as author_id from ${follows} where ${and(
    eq(follows.followerId, viewer),
    ne(follows.followedId, viewer),
  )}
    union all select ${viewer}`,
  isListed: (author) => isListed(viewer, author),
})

/** As `isListed`, for the feed of plans: what was paid for stays open while its creator is leaving or suspended. */
const isListedForMember = (viewer: SQL, author: SQL) =>
  and(isNotDeleted(author), notBlocked(viewer, author), notMuted(viewer, author))

const creatorsOfJoinedPlans = (viewer: SQL, now: SQL): Authors => ({
  all: sql`select distinct ${plans.creatorId} as author_id from ${planGrants} as g
    join ${plans} on ${plans.id} = g.plan_id where ${joinedNow(viewer, now)}`,
  isListed: (author) => isListedForMember(viewer, author),
})

/** For a where clause: the post is of a plan that the viewer has joined. */
const isOpenToMember = (viewer: SQL, now: SQL) =>
  sql`${posts.type} = 2 and exists (select 1 from ${postPlans}
    join ${planGrants} as g on g.plan_id = ${postPlans.planId}
    where ${and(eq(postPlans.postId, posts.id), joinedNow(viewer, now), opensReleased(posts.releasedAt))})`

const inLatest = (viewer: SQL) =>
  and(isListed(viewer, posts.authorId), or(eq(posts.authorId, viewer), isUnlimited(sql`${posts.authorId}`)))

function idsOf(kind: FeedKind, param: Param, limit: number): SQL {
  const [viewer, now] = [param('viewer'), param('now')]
  switch (kind) {
    case 'following':
      return mergedFrom(followedAndSelf(viewer), undefined, param, limit)
    case 'plans':
      return mergedFrom(creatorsOfJoinedPlans(viewer, now), isOpenToMember(viewer, now), param, limit)
    case 'latest':
      return sql`select ${posts.id} from ${posts} where ${and(within(param), inLatest(viewer))}
        order by ${posts.releasedAt} desc, ${posts.id} desc limit ${sql.raw(String(limit))}`
    default:
      return kind satisfies never
  }
}

/** For a where clause over posts: a feed may have the post. */
function belongsTo(kind: FeedKind, param: Params<Look>): SQL | undefined {
  const [viewer, author] = [param('viewer'), sql`${posts.authorId}`]
  const follow = sql`exists (select 1 from ${follows} where ${follows.followerId} = ${viewer} and ${follows.followedId} = ${author})`
  switch (kind) {
    case 'following':
      return and(isListed(viewer, author), or(eq(posts.authorId, viewer), follow))
    case 'plans':
      return and(isListedForMember(viewer, author), isOpenToMember(viewer, param('now')))
    case 'latest':
      return inLatest(viewer)
    default:
      return kind satisfies never
  }
}

const ofEach = <It>(make: (kind: FeedKind) => It): Readonly<Record<FeedKind, It>> => ({
  following: make('following'),
  latest: make('latest'),
  plans: make('plans'),
})

type ReadFeedPage<Row> = (
  db: Db,
  kind: FeedKind,
  viewerId: string,
  now: number,
  after: PageStart | undefined,
) => Promise<Row[]>

/** Prepares the statements of the feeds' pages: `rows` for `recheckFeed`, `whole` converted. @param limit posts of a page */
export function feedPages(limit: number): { whole: ReadFeedPage<PostFacts>; rows: ReadFeedPage<FactsRow> } {
  const pages = ofEach((kind) =>
    statement<FeedRange, FactsRow>(types, (param) => factsOf(idsOf(kind, param, limit), param)),
  )
  const rows: ReadFeedPage<FactsRow> = (db, kind, viewerId, now, after) =>
    pages[kind](db, { ...lookOf(viewerId, now), ...noNewerBound, ...olderThan(after) })
  return { rows, whole: async (...args) => (await rows(...args)).map(toFacts) }
}

const guards = ofEach((kind) =>
  statement<PostsById, GuardRow>({ ...lookTypes, ids: 'uuid[]' }, (param) =>
    guardsOf(
      sql`select ${posts.id} from ${posts} where ${and(
        sql`${posts.id} = any(${param('ids')}::uuid[])`,
        isNotNull(posts.releasedAt),
        isNull(posts.deletedAt),
        belongsTo(kind, param),
      )}`,
      param,
    ),
  ),
)

/** Checks on the primary the posts that a replica has found. @returns the posts that the feed may have now, in the same order */
export async function recheckFeed(
  primary: Db,
  kind: FeedKind,
  viewerId: string,
  now: number,
  found: readonly FactsRow[],
): Promise<PostFacts[]> {
  if (found.length === 0) return []
  const ids = found.map((row) => row.id)
  return guarded(found, await guards[kind](primary, { ...lookOf(viewerId, now), ids }))
}

/** Prepares the statements that count posts of each feed newer than a place, up to `limit`. */
export function newerCounts(
  limit: number,
): (db: Db, kind: FeedKind, viewerId: string, now: number, before: PageStart | undefined) => Promise<number> {
  const counts = ofEach((kind) =>
    statement<FeedRange, { n: number }>(
      types,
      (param) => sql`select count(*)::int as n from (${idsOf(kind, param, limit)}) as newer`,
    ),
  )
  return async (db, kind, viewerId, now, before) => {
    const newer = before ? { newerAt: momentOf(before.at), newerId: before.id } : noNewerBound
    const [row] = await counts[kind](db, { ...lookOf(viewerId, now), ...olderThan(undefined), ...newer })
    return row?.n ?? 0
  }
}
