// What measures change of posts, comments and accounts.
import { and, eq, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { measures } from '#server/store/tables/moderation.ts'
import { users } from '#server/store/tables/people.ts'
import { posts } from '#server/store/tables/posts.ts'
import { comments } from '#server/store/tables/reactions.ts'

/** Withholds a post that its author has not deleted: it counts as deleted everywhere. @returns whether it changed */
export async function withholdPost(tx: Db, id: string, now: number): Promise<boolean> {
  const at = new Date(now)
  const changed = await tx
    .update(posts)
    .set({ deletedAt: at, withheldAt: at })
    .where(and(eq(posts.id, id), isNull(posts.deletedAt)))
    .returning({ id: posts.id })
  return changed.length > 0
}

/** @returns whether it changed */
export async function restorePost(tx: Db, id: string): Promise<boolean> {
  const changed = await tx
    .update(posts)
    .set({ deletedAt: null, withheldAt: null })
    .where(and(eq(posts.id, id), isNotNull(posts.withheldAt)))
    .returning({ id: posts.id })
  return changed.length > 0
}

/** @returns whether it changed */
export async function setAgeLimit(tx: Db, id: string, limited: boolean): Promise<boolean> {
  const changed = await tx
    .update(posts)
    .set({ isAgeLimited: limited })
    .where(and(eq(posts.id, id), ne(posts.isAgeLimited, limited)))
    .returning({ id: posts.id })
  return changed.length > 0
}

export interface WithheldComment {
  readonly id: string
  readonly postId: string
}

/** For a where clause: the comment is held, and no measure withholds it. */
const isShownToAuthor = and(isNotNull(comments.heldAt), isNull(comments.withheldAt))

const place = { id: comments.id, postId: comments.postId }

/** Withholds a comment that is not deleted; its text stays. @returns undefined when nothing changed */
export async function withholdComment(tx: Db, id: string, now: number): Promise<WithheldComment | undefined> {
  const at = new Date(now)
  const changed = await tx
    .update(comments)
    .set({ deletedAt: at, deletedBy: 'admin', withheldAt: at })
    .where(and(eq(comments.id, id), or(isNull(comments.deletedAt), isShownToAuthor)))
    .returning(place)
  return changed[0]
}

/** @returns undefined when nothing changed */
export async function restoreComment(tx: Db, id: string): Promise<WithheldComment | undefined> {
  const changed = await tx
    .update(comments)
    .set({
      // One that was held before the measure is held again.
      deletedAt: sql`case when ${comments.heldAt} is null then null else ${comments.deletedAt} end`,
      deletedBy: null,
      withheldAt: null,
    })
    .where(and(eq(comments.id, id), isNotNull(comments.withheldAt)))
    .returning(place)
  return changed[0]
}

/** Comments that were removed before a moment, have a text, and wait for no appeal. */
export async function listRemovedComments(db: Db, before: number): Promise<string[]> {
  const rows = await db
    .select({ id: comments.id })
    .from(comments)
    .where(
      and(
        lt(comments.withheldAt, new Date(before)),
        ne(comments.content, ''),
        sql`not ${isStored('comment', sql`${comments.id}`)}`,
      ),
    )
    .orderBy(comments.id)
    .limit(500)
  return rows.map((row) => row.id)
}

export async function emptyComment(tx: Db, id: string): Promise<void> {
  await tx.update(comments).set({ content: '' }).where(eq(comments.id, id))
}

/** For a where clause: withheld content stays whole, since it is only hidden, or its removal is appealed. */
export const isStored = (kind: 'post' | 'comment', id: ReturnType<typeof sql>) =>
  sql`exists (select 1 from ${measures}
    where ${measures.targetKind} = ${kind} and ${measures.targetId} = ${id} and ${measures.endedAt} is null
      and (${measures.kind} = 'hide' or exists (select 1 from appeals
        where appeals.decision_id = ${measures.decisionId} and appeals.state = 'open')))`

/** Suspends or limits an account, or ends that. @returns whether it changed */
export async function setRestriction(
  tx: Db,
  userId: string,
  kind: 'suspend' | 'limit',
  now: number | undefined,
): Promise<boolean> {
  const column = kind === 'suspend' ? users.suspendedAt : users.limitedAt
  const value = now === undefined ? null : new Date(now)
  const changed = await tx
    .update(users)
    .set(kind === 'suspend' ? { suspendedAt: value } : { limitedAt: value })
    .where(
      and(eq(users.id, userId), isNull(users.deletedAt), value === null ? isNotNull(column) : isNull(column)),
    )
    .returning({ id: users.id })
  return changed.length > 0
}

/** For a where clause over people: not limited by staff. */
export const isUnlimited = (person: ReturnType<typeof sql>) =>
  sql`not exists (select 1 from ${users} as limited where limited.id = ${person} and limited.limited_at is not null)`

/** Whether a comment is there for people, withheld, or deleted. */
export async function stateOfComment(
  db: Db,
  id: string,
): Promise<
  { content: string; postId: string; isWithheld: boolean; isHeld: boolean; isDeleted: boolean } | undefined
> {
  const [row] = await db
    .select({
      content: comments.content,
      postId: comments.postId,
      isWithheld: sql<boolean>`${comments.withheldAt} is not null`,
      isHeld: sql<boolean>`${comments.heldAt} is not null`,
      isDeleted: sql<boolean>`${comments.deletedAt} is not null`,
    })
    .from(comments)
    .where(eq(comments.id, id))
  return row
}

/** Whether a measure withholds a post. */
export async function isWithheldPost(db: Db, id: string): Promise<boolean> {
  return (await db.$count(posts, and(eq(posts.id, id), isNotNull(posts.withheldAt)))) > 0
}
