// Comments and replies: written once, read page by page without those who are apart or not there.
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { notApart } from './blocks.ts'
import type { Db } from './database.ts'
import { isPresent } from './people.ts'
import { mutes } from './tables/people.ts'
import { commentCounts, commentLikes, comments } from './tables/reactions.ts'

export type CommentRow = typeof comments.$inferSelect

/** Adds a comment. @returns false when there is one with this id already */
export async function addCommentOnce(
  db: Db,
  comment: Pick<
    CommentRow,
    'id' | 'postId' | 'authorId' | 'parentId' | 'answersId' | 'content' | 'createdAt'
  >,
): Promise<boolean> {
  const added = await db
    .insert(comments)
    .values(comment)
    .onConflictDoNothing({ target: comments.id })
    .returning({ id: comments.id })
  return added.length === 1
}

export async function findComment(db: Db, id: string): Promise<CommentRow | undefined> {
  return (await db.select().from(comments).where(eq(comments.id, id)))[0]
}

/** Its words and likes go, its place stays for the replies below it. */
export async function markCommentDeleted(
  db: Db,
  id: string,
  deletedBy: NonNullable<CommentRow['deletedBy']>,
  now: number,
): Promise<void> {
  await db
    .update(comments)
    .set({ content: '', deletedAt: new Date(now), deletedBy })
    .where(and(eq(comments.id, id), isNull(comments.deletedAt)))
  await db.delete(commentLikes).where(eq(commentLikes.commentId, id))
}

/** Its author is there and not apart from the viewer. The place of a deleted comment says nothing of whose it was. */
const seen = (viewerId: string | undefined) =>
  or(isNotNull(comments.deletedAt), and(isPresent(comments.authorId), notApart(viewerId, comments.authorId)))

/** Those of these comments that the viewer sees, or sees the place of. */
export async function showable(
  db: Db,
  viewerId: string | undefined,
  ids: readonly string[],
): Promise<Map<string, CommentRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(comments)
    .where(and(inArray(comments.id, [...ids]), seen(viewerId)))
  return new Map(rows.map((row) => [row.id, row]))
}

export interface CommentPlace {
  readonly at: Date
  readonly id: string
}

/** Where a page begins: after a place, before one (it ends there), or at one. */
export type CommentStart =
  | { readonly is: 'first' }
  | { readonly is: 'after' | 'before' | 'at'; readonly place: CommentPlace }

type List =
  | { readonly of: 'post'; readonly postId: string }
  | { readonly of: 'comment'; readonly commentId: string }

export interface CommentPage {
  readonly rows: readonly CommentRow[]
  readonly hasNext: boolean
  readonly hasPrevious: boolean
}

/** Comments on a post, newest first, or replies to a comment, oldest first; ids break ties. */
export async function pageOfComments(
  db: Db,
  viewerId: string | undefined,
  list: List,
  start: CommentStart,
  limit: number,
): Promise<CommentPage> {
  const backwards = start.is === 'before'
  const rows = await read(db, viewerId, list, start, limit + 1)
  const shown = rows.slice(0, limit)
  const more = rows.length > limit
  if (backwards) return { rows: shown.toReversed(), hasNext: true, hasPrevious: more }
  const hasPrevious =
    start.is === 'at' && (await read(db, viewerId, list, { ...start, is: 'before' }, 1)).length > 0
  return { rows: shown, hasNext: more, hasPrevious }
}

async function read(
  db: Db,
  viewerId: string | undefined,
  list: List,
  start: CommentStart,
  limit: number,
): Promise<CommentRow[]> {
  const descending = (list.of === 'post') !== (start.is === 'before')
  const order = descending ? desc : asc
  const rows = await db
    .select({ comment: comments })
    .from(comments)
    .leftJoin(commentCounts, eq(commentCounts.commentId, comments.id))
    .where(and(...inList(list), seen(viewerId), from(start, descending)))
    .orderBy(order(comments.createdAt), order(comments.id))
    .limit(limit)
  return rows.map((row) => row.comment)
}

/** A deleted comment keeps its place while a reply stands below it; a deleted reply has none. */
function inList(list: List): (SQL | undefined)[] {
  if (list.of === 'comment') return [eq(comments.parentId, list.commentId), isNull(comments.deletedAt)]
  return [
    eq(comments.postId, list.postId),
    isNull(comments.parentId),
    or(isNull(comments.deletedAt), gt(commentCounts.replies, 0)),
  ]
}

function from(start: CommentStart, descending: boolean): SQL | undefined {
  if (start.is === 'first') return undefined
  const sign = sql.raw(`${descending ? '<' : '>'}${start.is === 'at' ? '=' : ''}`)
  const { at, id } = start.place
  return sql`(${comments.createdAt}, ${comments.id}) ${sign} (${at.toISOString()}::timestamptz, ${id}::uuid)`
}

export interface CommentFacts {
  readonly likes: number
  readonly replies: number
  readonly liked: boolean
  /** The viewer has muted its author. */
  readonly muted: boolean
}

const no = sql<boolean>`false`

/** What stands beside these comments for a viewer. */
export async function factsOfComments(
  db: Db,
  viewerId: string | undefined,
  ids: readonly string[],
): Promise<Map<string, CommentFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({
      id: comments.id,
      likes: sql<number>`coalesce(${commentCounts.likes}, 0)`,
      replies: sql<number>`coalesce(${commentCounts.replies}, 0)`,
      liked: viewerId
        ? sql<boolean>`exists (select 1 from ${commentLikes} as heart where heart.comment_id = ${comments.id} and heart.user_id = ${viewerId})`
        : no,
      muted: viewerId
        ? sql<boolean>`exists (select 1 from ${mutes} as quiet where quiet.muter_id = ${viewerId} and quiet.muted_id = ${comments.authorId})`
        : no,
    })
    .from(comments)
    .leftJoin(commentCounts, eq(commentCounts.commentId, comments.id))
    .where(inArray(comments.id, [...ids]))
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}
