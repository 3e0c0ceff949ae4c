// Pages of comments, newest first, and of replies, oldest first; ids break ties.
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import {
  type CommentFacts,
  factsOf,
  type FactsRow,
  type Reader,
  readerTypes,
  toFacts,
} from './comment-facts.ts'
import { seen } from './comments.ts'
import type { Db } from '#server/store/database.ts'
import { momentOf, type Places, statement } from '#server/store/statement.ts'
import { commentCounts, comments } from '#server/store/tables/reactions.ts'

export interface CommentPlace {
  readonly at: Date
  readonly id: string
}

/** Where a page begins: after a place, before one (it ends there), or at one. */
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

interface Stretch extends Reader {
  readonly under: string
  readonly at: string
  readonly id: string
}
const types = { ...readerTypes, under: 'uuid', at: 'timestamptz', id: 'uuid' } as const

type Order = 'asc' | 'desc'

/** Where everything of a list comes after. */
const begin = {
  asc: { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' },
  desc: { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
} as const

/** A deleted comment with replies stays in the list; a deleted reply does not. */
function inList(of: CommentList['of'], under: SQL): SQL | undefined {
  if (of === 'comment') return and(eq(comments.parentId, under), isNull(comments.deletedAt))
  const answered = sql`exists (select 1 from ${commentCounts}
    where ${eq(commentCounts.commentId, comments.id)} and ${commentCounts.replies} > 0)`
  return and(eq(comments.postId, under), isNull(comments.parentId), or(isNull(comments.deletedAt), answered))
}

interface Wanted {
  readonly of: CommentList['of']
  readonly order: Order
  /** The place itself counts. */
  readonly inclusive: boolean
  readonly limit: number
}

function rowsOf({ of, order, inclusive, limit }: Wanted, place: Places<Stretch>): SQL {
  const sign = sql.raw((order === 'desc' ? '<' : '>') + (inclusive ? '=' : ''))
  const from = sql`(${comments.createdAt}, ${comments.id}) ${sign} (${place('at')}, ${place('id')})`
  return sql`select ${comments}.* from ${comments}
    where ${and(inList(of, place('under')), seen(place('viewer')), from)}
    order by ${comments.createdAt} ${sql.raw(order)}, ${comments.id} ${sql.raw(order)} limit ${sql.raw(String(limit))}`
}

type Read = (db: Db, values: Stretch) => Promise<FactsRow[]>

const orderOf = (of: CommentList['of']): Order => (of === 'post' ? 'desc' : 'asc')
const turned = (order: Order): Order => (order === 'desc' ? 'asc' : 'desc')

/** The statements of one kind of list; each is put together and planned when it is first wanted. */
function readsOf(of: CommentList['of'], limit: number) {
  const order = orderOf(of)
  const read = (wanted: Omit<Wanted, 'of'>): Read =>
    statement<Stretch, FactsRow>(types, (place) =>
      factsOf(rowsOf({ of, ...wanted }, place), wanted.order, place),
    )
  return {
    after: read({ order, inclusive: false, limit }),
    at: read({ order, inclusive: true, limit }),
    before: read({ order: turned(order), inclusive: false, limit }),
    oneBefore: read({ order: turned(order), inclusive: false, limit: 1 }),
  }
}

/** Asks for pages of so many comments: those that the viewer sees, or sees the place of. */
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
