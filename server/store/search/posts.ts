// Finds posts by their words; closed ones by their open titles and introductions.
import { and, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { isUnlimited } from '#server/store/moderation/withheld.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import type { Db } from '#server/store/database.ts'
import { notMuted } from '#server/store/people/mutes.ts'
import { isPresent } from '#server/store/people/people.ts'
import { joinedNow, opensReleased, planGrants } from '#server/store/plans/plans.ts'
import {
  type FactsRow,
  guarded,
  type GuardRow,
  guardsOf,
  type Look,
  lookOf,
  lookTypes,
  type PostFacts,
  type PostsById,
} from '#server/store/posts/post-facts.ts'
import { boughtBy, type OlderThan, olderThan, olderTypes, type PageStart } from '#server/store/posts/posts.ts'
import { dateOf, momentOf, type Params, statement } from '#server/store/statement.ts'
import { postPlans, posts, postPurchases } from '#server/store/tables/posts.ts'
import { postSearch } from '#server/store/tables/search.ts'

/** The searched words, made by `server/rules/search-grams.ts`. */
export interface SearchedWords {
  readonly tsquery: string
  readonly recheck: readonly string[]
}

export interface Searcher {
  readonly id: string
  /** Whether the viewer is old enough for age-limited posts, and has chosen to see them. */
  readonly seesAgeLimited: boolean
}

export interface PostFilters {
  readonly type?: 1 | 2 | 3 | undefined
  readonly media?: 'image' | 'video' | 'text' | undefined
  /** Only posts released after this. */
  readonly since?: Date | undefined
}

interface SearchQuery extends Look, OlderThan {
  readonly seesAgeLimited: boolean
  readonly words: string
  readonly recheck: readonly string[]
  readonly type: number | null
  readonly media: string | null
  readonly since: string
}
type Param = Params<SearchQuery>
const types = {
  ...lookTypes,
  ...olderTypes,
  seesAgeLimited: 'boolean',
  words: 'tsquery',
  recheck: 'text[]',
  type: 'smallint',
  media: 'text',
  since: 'timestamptz',
} as const

type Shown = Params<Look & Pick<SearchQuery, 'seesAgeLimited'>>

/** Selects released posts whose title and introduction the viewer may read. */
function listed(param: Shown): SQL | undefined {
  const [viewer, author] = [param('viewer'), sql`${posts.authorId}`]
  const age = sql`(${param('seesAgeLimited')} or not ${posts.isAgeLimited})`
  return and(
    isNull(posts.deletedAt),
    isPresent(author),
    or(eq(posts.authorId, viewer), isUnlimited(author)),
    or(eq(posts.authorId, viewer), age),
    notBlocked(viewer, author),
    notMuted(viewer, author),
  )
}

/**
 * Selects of these posts those that the viewer may read in full. It must admit no post that `server/rules/post-access.ts`
 * does not: a post in the list, or in a cursor, would reveal words of its text.
 */
function opened(param: Params<Look>): SQL | undefined {
  const viewer = param('viewer')
  const byPlan = sql`exists (select 1 from ${postPlans} join ${planGrants} as g on g.plan_id = ${postPlans.planId}
    where ${and(eq(postPlans.postId, posts.id), joinedNow(viewer, param('now')), opensReleased(posts.releasedAt))})`
  const bought = sql`exists (select 1 from ${postPurchases}
    where ${and(eq(postPurchases.postId, posts.id), boughtBy(viewer))})`
  return or(
    eq(posts.authorId, viewer),
    sql`${posts.type} = 1`,
    and(sql`${posts.type} = 2`, byPlan),
    and(sql`${posts.type} = 3`, bought),
  )
}

function filtered(param: Param): SQL {
  const [type, media] = [param('type'), param('media')]
  const has = (roles: SQL) =>
    sql`exists (select 1 from post_media where post_media.post_id = ${posts.id} and post_media.role ${roles})`
  return sql`(${type} is null or ${posts.type} = ${type}) and case ${media}
    when 'text' then not ${has(sql`in ('image', 'video')`)}
    when 'image' then ${has(sql`= 'image'`)}
    when 'video' then ${has(sql`= 'video'`)}
    else true end`
}

const newest = sql.raw('released_at desc, post_id desc')

const holds = (param: Param): SQL => sql`grams @@ ${param('words')}
  and not exists (select 1 from unnest(${param('recheck')}) as term where strpos(folded, term) = 0)`

/** As `holds`, in the open texts of the post alone. */
const openHolds = (param: Param): SQL => sql`(found.open_grams @@ ${param('words')}
  and not exists (select 1 from unnest(${param('recheck')}) as term where strpos(found.open_folded, term) = 0))`

const within = (param: Param): SQL => sql`${postSearch.releasedAt} > ${param('since')}
  and (${postSearch.releasedAt}, ${postSearch.postId}) < (${param('olderAt')}, ${param('olderId')})`

/** @param candidates rows of `post_search`, newest first; PostgreSQL reads only as many as fill the page */
const pageOf = (candidates: SQL, where: SQL, limit: number, param: Param): SQL =>
  sql`select found.post_id as id, found.released_at from (${candidates}) as found
    cross join lateral (select 1 from ${posts} where ${and(
      sql`${posts.id} = found.post_id`,
      filtered(param),
      listed(param),
      or(opened(param), openHolds(param)),
    )} offset 0) as shown
    where ${where} order by ${newest} limit ${sql.raw(String(limit))}`

export interface FoundPost {
  readonly id: string
  readonly releasedAt: Date
}

/**
 * Finds posts that contain all searched words where the viewer may read them, newest first; ids break ties. It runs up to two prepared statements:
 *
 * 1. It scans the newest posts. With frequent words they fill the page.
 * 2. If they do not, the words are rare: it reads their posts from the index of words.
 *
 * One statement would need a plan for the words of each search, and planning takes longer than both statements.
 * @param limit posts of a page
 * @param newestFirst how many posts the first statement scans
 */
export function postSearches(
  limit: number,
  newestFirst = 2000,
): (
  db: Db,
  viewer: Searcher,
  words: SearchedWords,
  page: { filters: PostFilters; after: PageStart | undefined; now: number },
) => Promise<FoundPost[]> {
  const rows = sql.raw('post_id, released_at, grams, folded, open_grams, open_folded')
  const among = statement<SearchQuery, Row>(types, (param) => {
    const recent = sql`select ${rows} from ${postSearch} where ${within(param)}
      order by ${newest} limit ${sql.raw(String(newestFirst))}`
    return pageOf(recent, holds(param), limit, param)
  })
  const anywhere = statement<SearchQuery, Row>(types, (param) => {
    const all = sql`select ${rows} from ${postSearch} where ${within(param)} and ${holds(param)}
      order by ${newest} offset 0`
    return pageOf(all, sql`true`, limit, param)
  })
  return async (db, viewer, { tsquery, recheck }, { filters, after, now }) => {
    const query = {
      ...lookOf(viewer.id, now),
      ...olderThan(after),
      seesAgeLimited: viewer.seesAgeLimited,
      words: tsquery,
      recheck,
      type: filters.type ?? null,
      media: filters.media ?? null,
      since: filters.since ? momentOf(filters.since) : '-infinity',
    }
    const recent = await among(db, query)
    const found = recent.length < limit ? await anywhere(db, query) : recent
    return found.map((row) => ({ id: row.id, releasedAt: dateOf(row.released_at) }))
  }
}

interface Row {
  readonly id: string
  readonly released_at: string
}

interface Guarded extends PostsById {
  readonly seesAgeLimited: boolean
}

const guards = statement<Guarded, GuardRow>(
  { ...lookTypes, ids: 'uuid[]', seesAgeLimited: 'boolean' },
  (param) =>
    guardsOf(
      sql`select ${posts.id} from ${posts} where ${and(
        sql`${posts.id} = any(${param('ids')}::uuid[])`,
        isNotNull(posts.releasedAt),
        listed(param),
      )}`,
      param,
    ),
)

/**
 * Decides by the primary what a replica has found.
 * @returns the posts whose title and introduction the viewer may read now, in the same order; the caller leaves out those that are closed
 * and were found by their text
 */
export async function guardFound(
  primary: Db,
  viewer: Searcher,
  now: number,
  found: readonly FactsRow[],
): Promise<PostFacts[]> {
  if (found.length === 0) return []
  const { id, seesAgeLimited } = viewer
  const ids = found.map((row) => row.id)
  return guarded(found, await guards(primary, { ...lookOf(id, now), ids, seesAgeLimited }))
}
