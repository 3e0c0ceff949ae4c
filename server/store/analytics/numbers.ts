// Numbers of an author's posts by day, and of the most read ones.
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { DayNumbers, PostNumbers } from '#contract/analytics/analytics.ts'
import type { Db } from '#server/store/database.ts'
import { dateOf, momentOf, type Params, statement } from '#server/store/statement.ts'
import { posts } from '#server/store/tables/posts.ts'

/** A period of an author, or of one of the author's posts. */
export interface Asked {
  readonly authorId: string
  /** Null for all posts. */
  readonly postId: string | null
  /** The first and the last day, `YYYY-MM-DD` in Asia/Tokyo. */
  readonly first: string
  readonly last: string
  /** The first moment of the period, and the first one after it, ms since 1970. */
  readonly from: number
  readonly to: number
}

interface Values {
  readonly author: string
  readonly post: string | null
  readonly first: string
  readonly last: string
  readonly from: string
  readonly to: string
}

const types = {
  author: 'uuid',
  post: 'uuid',
  first: 'text',
  last: 'text',
  from: 'timestamptz',
  to: 'timestamptz',
} as const

const valuesOf = (it: Asked): Values => ({
  author: it.authorId,
  post: it.postId,
  first: it.first,
  last: it.last,
  from: momentOf(it.from),
  to: momentOf(it.to),
})

interface NumberRow {
  readonly views: number
  readonly few_views: boolean
  readonly gates: number
  readonly few_gates: boolean
  readonly watched: number
  readonly few_watched: boolean
  readonly likes: number
  readonly comments: number
  readonly purchases: number
}

/** One row for each sum of a day, like, comment and purchase of the posts `own`. */
const happened = (param: Params<Values>): SQL => {
  const dayOf = (column: string) => sql`(${sql.raw(column)} at time zone 'Asia/Tokyo')::date`
  const within = (column: string) =>
    sql`${sql.raw(column)} >= ${param('from')} and ${sql.raw(column)} < ${param('to')}`
  return sql`select d.post_id, d.day, d.views, d.gates, d.watched, 0 as likes, 0 as comments, 0 as purchases
      from own join post_days d on d.post_id = own.id and d.day between ${param('first')}::date and ${param('last')}::date
    union all select l.post_id, ${dayOf('l.created_at')}, 0, 0, 0, 1, 0, 0
      from own join post_likes l on l.post_id = own.id and ${within('l.created_at')}
    union all select c.post_id, ${dayOf('c.created_at')}, 0, 0, 0, 0, 1, 0
      from own join comments c on c.post_id = own.id and c.deleted_at is null and ${within('c.created_at')}
    union all select s.post_id, ${dayOf('s.bought_at')}, 0, 0, 0, 0, 0, 1
      from own join post_purchases s on s.post_id = own.id and s.revoked_at is null and ${within('s.bought_at')}`
}

/** A stored 1 is 1 to 4 readers. */
const sums = sql.raw(`sum(views)::int as views, bool_or(views = 1) as few_views, sum(gates)::int as gates,
  bool_or(gates = 1) as few_gates, sum(watched)::int as watched, bool_or(watched = 1) as few_watched,
  sum(likes)::int as likes, sum(comments)::int as comments, sum(purchases)::int as purchases`)

const ownPosts = (param: Params<Values>): SQL =>
  sql`select id from posts where author_id = ${param('author')} and released_at is not null and deleted_at is null
    and (${param('post')} is null or id = ${param('post')})`

const days = statement<Values, NumberRow & { readonly day: string }>(
  types,
  (param) =>
    sql`with own as (${ownPosts(param)}) select day::text as day, ${sums} from (${happened(param)}) as all_rows group by day`,
)

interface PostRow {
  readonly id: string
  readonly type: 1 | 2 | 3
  readonly excerpt: string
  readonly has_video: boolean
  readonly released_at: string
}

const EXCERPT = 100
const TOP = 10

const postFields = sql`p.id, p.type, coalesce(nullif(p.title, ''), left(p.content, ${sql.raw(String(EXCERPT))})) as excerpt, p.released_at,
  exists (select 1 from post_media a join media m on m.id = a.media_id
    where a.post_id = p.id and a.role = 'video') as has_video`

const top = statement<Values, NumberRow & PostRow>(
  types,
  (param) =>
    sql`with own as (${ownPosts(param)}),
      ranked as (select post_id, ${sums} from (${happened(param)}) as all_rows group by post_id
        order by sum(views) desc, sum(purchases) desc, sum(likes) desc, post_id desc limit ${sql.raw(String(TOP))})
    select ${postFields}, r.views, r.few_views, r.gates, r.few_gates, r.watched, r.few_watched, r.likes, r.comments,
      r.purchases
    from ranked r join posts p on p.id = r.post_id
    order by r.views desc, r.purchases desc, r.likes desc, r.post_id desc`,
)

const one = statement<{ author: string; post: string }, PostRow>(
  { author: 'uuid', post: 'uuid' },
  (param) =>
    sql`select ${postFields} from posts p where p.id = ${param('post')} and p.author_id = ${param('author')}
      and p.released_at is not null and p.deleted_at is null`,
)

const numbersOf = (row: NumberRow) => ({
  views: { count: row.views, is_few: row.few_views },
  gates: { count: row.gates, is_few: row.few_gates },
  watched: { count: row.watched, is_few: row.few_watched },
  likes: row.likes,
  comments: row.comments,
  purchases: row.purchases,
})

const postOf = (row: PostRow): PostNumbers['post'] => ({
  id: row.id,
  type: row.type,
  excerpt: row.excerpt,
  has_video: row.has_video,
  released_at: dateOf(row.released_at).toISOString(),
})

/** The days that have a number, in no order. */
export async function numbersByDay(db: Db, asked: Asked): Promise<DayNumbers[]> {
  return (await days(db, valuesOf(asked))).map((row) => ({ day: row.day, ...numbersOf(row) }))
}

/** The posts with a number, the most read ones first, at most 10. */
export async function topPosts(db: Db, asked: Asked): Promise<PostNumbers[]> {
  return (await top(db, valuesOf(asked))).map((row) => ({ post: postOf(row), ...numbersOf(row) }))
}

/** An own post that is released and not deleted. */
export async function findOwnPost(
  db: Db,
  authorId: string,
  postId: string,
): Promise<PostNumbers['post'] | undefined> {
  const [row] = await one(db, { author: authorId, post: postId })
  return row && postOf(row)
}

/** Whether a person has released a post that is not deleted. */
export async function hasPosts(db: Db, authorId: string): Promise<boolean> {
  const listed = and(eq(posts.authorId, authorId), isNotNull(posts.releasedAt), isNull(posts.deletedAt))
  return (await db.select({ id: posts.id }).from(posts).where(listed).limit(1)).length > 0
}
