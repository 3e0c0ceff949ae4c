// Pages of comments, newest first, and of replies, oldest first; ids break ties.
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import {
  type CommentFacts,
  factsOf,
  type FactsRow,
  isOwnHeld,
  type Reader,
  readerTypes,
  toFacts,
} from './comment-facts.ts'
import { seen } from './comments.ts'
import type { Db } from '#server/store/database.ts'
import { momentOf, type Params, statement } from '#server/store/statement.ts'
import { commentCounts, comments } from '#server/store/tables/reactions.ts'

export interface CommentPlace {
  readonly at: Date
  readonly id: string
}

/** Where a page begins: at the first comment, or at or after a place; a page `before` a place ends there. */
export type CommentStart =
  | { readonly is: 'first' }
  | { readonly is: 'after' | 'before' | 'at'; readonly place: CommentPlace }

/** Parent of the comments: a post or, for replies, a comment. */
export interface CommentList {
  readonly of: 'post' | 'comment'
  readonly id: string
}

export interface CommentPage {
  readonly rows: readonly CommentFacts[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

interface PageQuery extends Reader {
  readonly under: string
  readonly at: string
  readonly id: string
}
const types = { ...readerTypes, under: 'uuid', at: 'timestamptz', id: 'uuid' } as const

type Order = 'asc' | 'desc'

/** The place before all comments of a list. */
const begin = {
  asc: { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' },
  desc: { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
} as const

/** A deleted comment with replies stays in the list; a deleted reply does not. Own held ones are in it. */
function inList(of: CommentList['of'], under: SQL, viewer: SQL): SQL | undefined {
  const isRead = or(isNull(comments.deletedAt), isOwnHeld(sql`${comments}`, viewer))
  if (of === 'comment') return and(eq(comments.parentId, under), isRead)
  const answered = sql`exists (select 1 from ${commentCounts}
    where ${eq(commentCounts.commentId, comments.id)} and ${commentCounts.replies} > 0)`
  return and(eq(comments.postId, under), isNull(comments.parentId), or(isRead, answered))
}

interface PageKind {
  readonly of: CommentList['of']
  readonly order: Order
  /** Whether the comment at the place is included. */
  readonly inclusive: boolean
  readonly limit: number
}

function rowsOf({ of, order, inclusive, limit }: PageKind, param: Params<PageQuery>): SQL {
  const sign = sql.raw((order === 'desc' ? '<' : '>') + (inclusive ? '=' : ''))
  const from = sql`(${comments.createdAt}, ${comments.id}) ${sign} (${param('at')}, ${param('id')})`
  return sql`select ${comments}.* from ${comments}
    where ${and(inList(of, param('under'), param('viewer')), seen(param('viewer')), from)}
    order by ${comments.createdAt} ${sql.raw(order)}, ${comments.id} ${sql.raw(order)} limit ${sql.raw(String(limit))}`
}

type Read = (db: Db, values: PageQuery) => Promise<FactsRow[]>

const orderOf = (of: CommentList['of']): Order => (of === 'post' ? 'desc' : 'asc')
const reversed = (order: Order): Order => (order === 'desc' ? 'asc' : 'desc')

/** The statements of one kind of list; each is built at its first call. */
function readsOf(of: CommentList['of'], limit: number) {
  const order = orderOf(of)
  const read = (kind: Omit<PageKind, 'of'>): Read =>
    statement<PageQuery, FactsRow>(types, (param) =>
      factsOf(rowsOf({ of, ...kind }, param), kind.order, param),
    )
  return {
    after: read({ order, inclusive: false, limit }),
    at: read({ order, inclusive: true, limit }),
    before: read({ order: reversed(order), inclusive: false, limit }),
    oneBefore: read({ order: reversed(order), inclusive: false, limit: 1 }),
  }
}

/** Prepares the statements of pages of visible comments and placeholders. @param limit comments of a page */
export function commentPages(
  limit: number,
): (db: Db, viewerId: string | undefined, list: CommentList, start: CommentStart) => Promise<CommentPage> {
  const reads = { post: readsOf('post', limit + 1), comment: readsOf('comment', limit + 1) }
  return async (db, viewerId, { of, id: under }, start) => {
    const { at, id } =
      start.is === 'first' ? begin[orderOf(of)] : { at: momentOf(start.place.at), id: start.place.id }
    const values = { viewer: viewerId ?? null, under, at, id }
    const rows = await reads[of][start.is === 'first' ? 'after' : start.is](db, values)
    const shown = rows.slice(0, limit).map(toFacts)
    const more = rows.length > limit
    if (start.is === 'before') return { rows: shown.toReversed(), hasNext: true, hasPrevious: more }
    const hasPrevious = start.is === 'at' && (await reads[of].oneBefore(db, values)).length > 0
    return { rows: shown, hasNext: more, hasPrevious }
  }
}
