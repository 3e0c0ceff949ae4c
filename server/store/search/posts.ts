// Finding posts by their words, among those the viewer may read in full and no others.
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { notBlocked } from '#server/store/people/blocks.ts'
import type { Db } from '#server/store/database.ts'
import { notMuted } from '#server/store/people/mutes.ts'
import { isPresent } from '#server/store/people/people.ts'
import { joinedNow } from '#server/store/posts/plans.ts'
import { type Look, lookOf, lookTypes } from '#server/store/posts/post-facts.ts'
import { boughtBy, type OlderThan, olderThan, olderTypes, type PageStart } from '#server/store/posts/posts.ts'
import { dateOf, momentOf, type Places, statement } from '#server/store/statement.ts'
import { planMembers } from '#server/store/tables/plans.ts'
import { postPlans, posts, postPurchases } from '#server/store/tables/posts.ts'
import { postSearch } from '#server/store/tables/search.ts'

/** Made by `server/rules/search-grams.ts`. */
export interface Asked {
  readonly tsquery: string
  readonly recheck: readonly string[]
}

export interface Searcher {
  readonly id: string
  /** Old enough for age-limited posts, and has chosen to see them. */
  readonly seesAgeLimited: boolean
}

export interface PostFilters {
  readonly type?: 1 | 2 | 3 | undefined
  readonly media?: 'image' | 'video' | 'text' | undefined
  /** Released after this. */
  readonly since?: Date | undefined
}

interface Searching extends Look, OlderThan {
  readonly seesAgeLimited: boolean
  readonly words: string
  readonly recheck: readonly string[]
  readonly type: number | null
  readonly media: string | null
  readonly since: string
}
type Place = Places<Searching>
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

/**
 * The policy's `full` (`server/rules/post-access.ts`) for released posts, as a condition: what it lets through is no
 * more than the policy does, so that neither a place in the list nor a cursor tells of words one may not read.
 */
function readable(place: Place): SQL | undefined {
  const [viewer, author] = [place('viewer'), sql`${posts.authorId}`]
  const byPlan = sql`exists (select 1 from ${postPlans} join ${planMembers} on ${planMembers.planId} = ${postPlans.planId}
    where ${and(eq(postPlans.postId, posts.id), joinedNow(viewer, place('now')))})`
  const bought = sql`exists (select 1 from ${postPurchases}
    where ${and(eq(postPurchases.postId, posts.id), boughtBy(viewer))})`
  const opened = or(
    sql`${posts.type} = 1`,
    and(sql`${posts.type} = 2`, byPlan),
    and(sql`${posts.type} = 3`, bought),
  )
  const age = sql`(${place('seesAgeLimited')} or not ${posts.isAgeLimited})`
  return and(
    isNull(posts.deletedAt),
    isPresent(author),
    or(eq(posts.authorId, viewer), and(age, opened)),
    notBlocked(viewer, author),
    notMuted(viewer, author),
  )
}

function filtered(place: Place): SQL {
  const [type, media] = [place('type'), place('media')]
  const has = (roles: SQL) =>
    sql`exists (select 1 from post_media where post_media.post_id = ${posts.id} and post_media.role ${roles})`
  return sql`(${type} is null or ${posts.type} = ${type}) and case ${media}
    when 'text' then not ${has(sql`in ('image', 'video')`)}
    when 'image' then ${has(sql`= 'image'`)}
    when 'video' then ${has(sql`= 'video'`)}
    else true end`
}

const newest = sql.raw('released_at desc, post_id desc')

const holds = (place: Place): SQL => sql`grams @@ ${place('words')}
  and not exists (select 1 from unnest(${place('recheck')}) as term where strpos(folded, term) = 0)`

const within = (place: Place): SQL => sql`${postSearch.releasedAt} > ${place('since')}
  and (${postSearch.releasedAt}, ${postSearch.postId}) < (${place('olderAt')}, ${place('olderId')})`

/** @param candidates rows of `post_search`, newest first: no more of them are read than it takes to fill the page */
const pageOf = (candidates: SQL, where: SQL, limit: number, place: Place): SQL =>
  sql`select found.post_id as id, found.released_at from (${candidates}) as found
    cross join lateral (select 1 from ${posts} where ${and(
      sql`${posts.id} = found.post_id`,
      filtered(place),
      readable(place),
    )} offset 0) as shown
    where ${where} order by ${newest} limit ${sql.raw(String(limit))}`

export interface FoundPost {
  readonly id: string
  readonly releasedAt: Date
}

/**
 * Asks for the posts that hold every word asked for, newest first; ids break ties.
 *
 * The best way to a word that is everywhere is the worst to a rare one, and no plan that is kept knows which it is. So
 * the newest posts are looked through, which fills a page with what is everywhere; what fills none is rare, and the
 * index of words has it. Planning for the words of each search took longer than both.
 * @param newestFirst so many posts are looked through before the index is asked
 */
export function postSearches(
  limit: number,
  newestFirst = 2000,
): (
  db: Db,
  viewer: Searcher,
  asked: Asked,
  page: { filters: PostFilters; after: PageStart | undefined; now: number },
) => Promise<FoundPost[]> {
  const rows = sql.raw('post_id, released_at, grams, folded')
  const among = statement<Searching, Row>(types, (place) => {
    const lately = sql`select ${rows} from ${postSearch} where ${within(place)}
      order by ${newest} limit ${sql.raw(String(newestFirst))}`
    return pageOf(lately, holds(place), limit, place)
  })
  const anywhere = statement<Searching, Row>(types, (place) => {
    const all = sql`select ${rows} from ${postSearch} where ${within(place)} and ${holds(place)}
      order by ${newest} offset 0`
    return pageOf(all, sql`true`, limit, place)
  })
  return async (db, viewer, { tsquery, recheck }, { filters, after, now }) => {
    const searching = {
      ...lookOf(viewer.id, now),
      ...olderThan(after),
      seesAgeLimited: viewer.seesAgeLimited,
      words: tsquery,
      recheck,
      type: filters.type ?? null,
      media: filters.media ?? null,
      since: filters.since ? momentOf(filters.since) : '-infinity',
    }
    const lately = await among(db, searching)
    const found = lately.length < limit ? await anywhere(db, searching) : lately
    return found.map((row) => ({ id: row.id, releasedAt: dateOf(row.released_at) }))
  }
}

interface Row {
  readonly id: string
  readonly released_at: string
}
