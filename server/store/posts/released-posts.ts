// Pages of released posts, of one author or of all, newest first; ids break ties.
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
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
  toFacts,
} from './post-facts.ts'
import { type OlderThan, olderThan, olderTypes, type PageStart } from './posts.ts'
import { type Params, statement, type Types } from '#server/store/statement.ts'

interface PageQuery extends Look, OlderThan {
  readonly author: string | null
  /** Null for every type. */
  readonly type: 1 | 2 | 3 | null
  /** Null for posts with and without plans. */
  readonly plan: string | null
}

const types = { ...lookTypes, ...olderTypes, author: 'uuid', type: 'smallint', plan: 'uuid' } as const

export interface PostFilter {
  readonly authorId?: string | undefined
  readonly type?: 1 | 2 | 3 | undefined
  /** Of posts that this plan opens; the type is then not looked at. */
  readonly planId?: string | undefined
  readonly after: PageStart | undefined
}

/** For a where clause over `posts`: released, there, and not of a leaving author. */
const isListed = sql`released_at is not null and deleted_at is null
  and not exists (select 1 from deletions where deletions.user_id = posts.author_id)`

const opensWith = (plan: SQL) =>
  sql`exists (select 1 from post_plans where post_id = posts.id and plan_id = ${plan})`

type Param = Params<PageQuery>
type Which = 'all' | 'ofType' | 'ofPlan'

/** The statements of the six kinds of pages. @param build makes one from the condition that is special to it */
function pagesOf(
  build: (which: (param: Param) => SQL, param: Param) => SQL,
): (db: Db, query: PageQuery) => Promise<FactsRow[]> {
  const page = (which: (param: Param) => SQL) =>
    statement<PageQuery, FactsRow>(types, (param) => build(which, param))
  const byAuthor = (param: Param) => sql`and author_id = ${param('author')}`
  const ofType = (param: Param) => sql`and type = ${param('type')}`
  const ofPlan = (param: Param) => sql`and ${opensWith(param('plan'))}`
  const both = (one: typeof ofType) => (param: Param) => sql`${byAuthor(param)} ${one(param)}`
  // Without a condition on the type, the index alone has the page; with one, all posts of the author are read.
  const ofAuthor = { all: page(byAuthor), ofType: page(both(ofType)), ofPlan: page(both(ofPlan)) }
  const ofAll = { all: page(() => sql``), ofType: page(ofType), ofPlan: page(ofPlan) }
  return (db, query) => {
    const which: Which = query.plan !== null ? 'ofPlan' : query.type === null ? 'all' : 'ofType'
    return (query.author === null ? ofAll : ofAuthor)[which](db, query)
  }
}

const queryOf = (
  viewerId: string | undefined,
  { authorId, type, planId, after }: PostFilter,
  now: number,
): PageQuery => ({
  ...lookOf(viewerId, now),
  ...olderThan(after),
  author: authorId ?? null,
  type: type ?? null,
  plan: planId ?? null,
})

type ReleasedPage<Row> = (
  db: Db,
  viewerId: string | undefined,
  filter: PostFilter,
  now: number,
) => Promise<Row[]>

/** Prepares the statements of the pages, without posts of leaving authors. @param limit posts of a page */
export function releasedPages(limit: number): {
  whole: ReleasedPage<PostFacts>
  rows: ReleasedPage<FactsRow>
} {
  const pages = pagesOf((which, param) =>
    factsOf(
      sql`select id from posts where ${isListed} ${which(param)}
        and (released_at, id) < (${param('olderAt')}, ${param('olderId')})
      order by released_at desc, id desc limit ${sql.raw(String(limit))}`,
      param,
    ),
  )
  const rows: ReleasedPage<FactsRow> = (db, viewerId, filter, now) =>
    pages(db, queryOf(viewerId, filter, now))
  return { rows, whole: async (...args) => (await rows(...args)).map(toFacts) }
}

interface GuardQuery extends PageQuery {
  readonly ids: readonly string[]
}
const guardTypes: Types<GuardQuery> = { ...types, ids: 'uuid[]' }

const guards = statement<GuardQuery, GuardRow>(guardTypes, (param) =>
  guardsOf(
    sql`select id from posts where id = any(${param('ids')}::uuid[]) and ${isListed}
      and (${param('author')} is null or author_id = ${param('author')})
      and case when ${param('plan')} is null then ${param('type')} is null or type = ${param('type')}
        else ${opensWith(param('plan'))} end`,
    param,
  ),
)

/** Decides by the primary what a replica has found. @returns the posts that the list may have now, in the same order */
export async function guardReleased(
  primary: Db,
  viewerId: string | undefined,
  filter: PostFilter,
  now: number,
  found: readonly FactsRow[],
): Promise<PostFacts[]> {
  if (found.length === 0) return []
  const ids = found.map((row) => row.id)
  return guarded(found, await guards(primary, { ...queryOf(viewerId, filter, now), ids }))
}
