// Pages of released posts, of one author or of all, newest first; ids break ties.
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import {
  factsOf,
  type FactsRow,
  type Look,
  lookOf,
  lookTypes,
  type PostFacts,
  toFacts,
} from './post-facts.ts'
import { type OlderThan, olderThan, olderTypes, type PageStart } from './posts.ts'
import { type Params, statement } from '#server/store/statement.ts'

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

/** Prepares the statements of the pages, without posts of leaving authors. @param limit posts of a page */
export function releasedPages(
  limit: number,
): (db: Db, viewerId: string | undefined, filter: PostFilter, now: number) => Promise<PostFacts[]> {
  const page = (which: (param: Params<PageQuery>) => SQL) =>
    statement<PageQuery, FactsRow>(types, (param) =>
      factsOf(
        sql`select id from posts where released_at is not null and deleted_at is null ${which(param)}
          and (released_at, id) < (${param('olderAt')}, ${param('olderId')})
          and not exists (select 1 from deletions where deletions.user_id = posts.author_id)
        order by released_at desc, id desc limit ${sql.raw(String(limit))}`,
        param,
      ),
    )
  const byAuthor = (param: Params<PageQuery>) => sql`and author_id = ${param('author')}`
  const ofType = (param: Params<PageQuery>) => sql`and type = ${param('type')}`
  const ofPlan = (param: Params<PageQuery>) =>
    sql`and exists (select 1 from post_plans where post_id = posts.id and plan_id = ${param('plan')})`
  const both = (one: typeof ofType) => (param: Params<PageQuery>) => sql`${byAuthor(param)} ${one(param)}`
  // Without a condition on the type, the index alone has the page; with one, all posts of the author are read.
  const ofAuthor = { all: page(byAuthor), ofType: page(both(ofType)), ofPlan: page(both(ofPlan)) }
  const ofAll = { all: page(() => sql``), ofType: page(ofType), ofPlan: page(ofPlan) }
  return async (db, viewerId, { authorId = null, type = null, planId = null, after }, now) => {
    const query = { ...lookOf(viewerId, now), ...olderThan(after), author: authorId, type, plan: planId }
    const pages = authorId === null ? ofAll : ofAuthor
    const which = planId !== null ? 'ofPlan' : type === null ? 'all' : 'ofType'
    return (await pages[which](db, query)).map(toFacts)
  }
}
