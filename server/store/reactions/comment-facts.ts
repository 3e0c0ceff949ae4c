// Reads comments with all data of their views for one viewer, by one statement.
import { type SQL, sql } from 'drizzle-orm'
import type { Reviewer } from '#contract/moderation/hold-names.ts'
import { notBlocked } from '#server/store/people/blocks.ts'
import type { CommentRow } from './comments.ts'
import type { Db } from '#server/store/database.ts'
import { isPresent, type Person } from '#server/store/people/people.ts'
import { dateOf, dateOrNull, type Params, statement } from '#server/store/statement.ts'

/** The author of a comment, as shown beside it. */
export type Writer = Pick<Person, 'id' | 'name' | 'handle' | 'avatarId'>

export interface CommentFacts extends Pick<
  CommentRow,
  'id' | 'postId' | 'authorId' | 'parentId' | 'content' | 'createdAt' | 'deletedAt'
> {
  readonly author: Writer
  /** Author of the answered reply, while that reply and its author are visible to the viewer. */
  readonly answers: Writer | null
  /** Who reviews it while it waits; then only its author reads it. Null otherwise. */
  readonly heldBy: Reviewer | null
  readonly likes: number
  /** Number of replies, without deleted ones. */
  readonly replies: number
  /** Of likes and replies. */
  readonly version: number
  readonly liked: boolean
  /** Whether the viewer has muted its author. */
  readonly muted: boolean
}

/** Parameter of the statements: the viewer. */
export interface Reader {
  /** Null for a visitor, who has no blocks, likes or mutes. */
  readonly viewer: string | null
}

export const readerTypes = { viewer: 'uuid' } as const

/** A row of `factsOf`, which `toFacts` converts. */
export interface FactsRow {
  readonly id: string
  readonly post_id: string
  readonly author_id: string
  readonly parent_id: string | null
  readonly content: string
  readonly created_at: string
  readonly deleted_at: string | null
  readonly held_by: Reviewer | null
  readonly name: string
  readonly handle: string | null
  readonly avatar_id: string | null
  readonly answers: Writer | null
  readonly likes: number | null
  readonly replies: number | null
  readonly version: number | null
  readonly liked: boolean
  readonly muted: boolean
}

/**
 * The facts of comments for one viewer, by time; ids break ties.
 * @param rows a select of whole comments
 */
export function factsOf(rows: SQL, order: 'asc' | 'desc', param: Params<Reader>): SQL {
  const viewer = param('viewer')
  const direction = sql.raw(order)
  return sql`select c.id, c.post_id, c.author_id, c.parent_id, c.content, c.created_at,
      case when ${isOwnHeld(sql.raw('c'), viewer)} then null else c.deleted_at end as deleted_at, case when c.held_at is not null then (${reviewerOf}) end as held_by,
      u.name, u.handle, avatar.media_id as avatar_id, n.likes, n.replies, n.version,
      own_like.user_id is not null as liked, own_mute.muter_id is not null as muted,
      case when c.answers_id is not null then (${answeredBy(viewer)}) end as answers
    from (${rows}) as c
    join users u on u.id = c.author_id
    left join user_pictures avatar on avatar.user_id = c.author_id and avatar.role = 'avatar'
    left join comment_counts n on n.comment_id = c.id
    left join comment_likes own_like on own_like.comment_id = c.id and own_like.user_id = ${viewer}
    left join mutes own_mute on own_mute.muter_id = ${viewer} and own_mute.muted_id = c.author_id
    order by c.created_at ${direction}, c.id ${direction}`
}

const reviewerOf = sql`select h.reviewer from holds h
    where h.target_kind = 'comment' and h.target_id = c.id and h.state = 'open'`

/** For a comment of this alias: it is held, and the viewer is its author, who reads it. */
export const isOwnHeld = (alias: SQL, viewer: SQL): SQL =>
  sql`(${alias}.held_at is not null and ${alias}.withheld_at is null and ${alias}.author_id = ${viewer})`

const answeredBy = (viewer: SQL): SQL =>
  sql`select json_build_object('id', w.id, 'name', w.name, 'handle', w.handle, 'avatarId', shown.media_id)
    from comments a join users w on w.id = a.author_id
    left join user_pictures shown on shown.user_id = w.id and shown.role = 'avatar'
    where a.id = c.answers_id and a.deleted_at is null
      and ${isPresent(sql.raw('w.id'))} and ${notBlocked(viewer, sql.raw('w.id'))}`

export function toFacts(row: FactsRow): CommentFacts {
  return {
    id: row.id,
    postId: row.post_id,
    authorId: row.author_id,
    parentId: row.parent_id,
    content: row.content,
    createdAt: dateOf(row.created_at),
    deletedAt: dateOrNull(row.deleted_at),
    author: { id: row.author_id, name: row.name, handle: row.handle, avatarId: row.avatar_id },
    answers: row.answers,
    heldBy: row.held_by,
    likes: row.likes ?? 0,
    replies: row.replies ?? 0,
    version: row.version ?? 0,
    liked: row.liked,
    muted: row.muted,
  }
}

const commentById = statement<Reader & { readonly id: string }, FactsRow>(
  { ...readerTypes, id: 'uuid' },
  (param) => factsOf(sql`select * from comments where id = ${param('id')}`, 'asc', param),
)

/** The facts of one comment of any author. */
export async function factsOfComment(
  db: Db,
  viewerId: string | undefined,
  id: string,
): Promise<CommentFacts | undefined> {
  const [row] = await commentById(db, { viewer: viewerId ?? null, id })
  return row && toFacts(row)
}
