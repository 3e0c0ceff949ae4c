// Automatic holds of posts and comments, and how each ended.
import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { HoldReason, HoldState } from '#contract/moderation/hold-names.ts'
import type { Db } from '#server/store/database.ts'
import { fanOuts } from '#server/store/tables/notifications.ts'
import { holds } from '#server/store/tables/moderation.ts'
import { posts } from '#server/store/tables/posts.ts'
import { comments } from '#server/store/tables/reactions.ts'

export type HoldRow = typeof holds.$inferSelect
/** What a hold is about. */
export type HeldThing = Pick<HoldRow, 'targetKind' | 'targetId'>

const about = ({ targetKind, targetId }: HeldThing): SQL | undefined =>
  and(eq(holds.targetKind, targetKind), eq(holds.targetId, targetId))

/** @returns false when the thing is held already */
export async function addHold(tx: Db, row: typeof holds.$inferInsert): Promise<boolean> {
  const added = await tx.insert(holds).values(row).onConflictDoNothing().returning({ id: holds.id })
  return added.length === 1
}

export async function findOpenHold(db: Db, thing: HeldThing): Promise<HoldRow | undefined> {
  return (
    await db
      .select()
      .from(holds)
      .where(and(about(thing), eq(holds.state, 'open')))
  )[0]
}

/** Ends the open hold of a thing. @returns it; undefined without an open one */
export async function endHold(
  tx: Db,
  thing: HeldThing,
  state: Exclude<HoldState, 'open'>,
  now: number,
): Promise<HoldRow | undefined> {
  const ended = await tx
    .update(holds)
    .set({ state, endedAt: new Date(now) })
    .where(and(about(thing), eq(holds.state, 'open')))
    .returning()
  return ended[0]
}

/** Opens the last hold of a thing again, if a measure ended it. */
export async function reopenHold(tx: Db, thing: HeldThing): Promise<void> {
  const last = tx
    .select({ id: holds.id })
    .from(holds)
    .where(about(thing))
    .orderBy(desc(holds.createdAt), desc(holds.id))
    .limit(1)
  await tx
    .update(holds)
    .set({ state: 'open', endedAt: null })
    .where(and(inArray(holds.id, last), eq(holds.state, 'removed')))
}

/** Whether a review of this reason has shown the thing before. */
export async function wasApproved(db: Db, thing: HeldThing, reason: HoldReason): Promise<boolean> {
  const approved = and(about(thing), eq(holds.reason, reason), eq(holds.state, 'approved'))
  return (await db.$count(holds, approved)) > 0
}

/** The last hold for staff of each thing, by the id of the thing. */
export async function lastHoldsOf(db: Db, targetIds: readonly string[]): Promise<Map<string, HoldRow>> {
  if (targetIds.length === 0) return new Map()
  const rows = await db
    .selectDistinctOn([holds.targetId])
    .from(holds)
    .where(and(inArray(holds.targetId, [...targetIds]), eq(holds.reviewer, 'staff')))
    .orderBy(holds.targetId, desc(holds.createdAt), desc(holds.id))
  return new Map(rows.map((row) => [row.targetId, row]))
}

export type HeldPost = Pick<typeof posts.$inferSelect, 'id' | 'authorId' | 'content' | 'heldAt' | 'deletedAt'>

/** Locks a post, also an unreleased or deleted one. */
export async function lockHeldPost(tx: Db, id: string): Promise<HeldPost | undefined> {
  return (await tx.select().from(posts).where(eq(posts.id, id)).for('update'))[0]
}

/**
 * Holds a post: from now on its author alone sees it.
 * @returns when it was released before; undefined when it is not released, or held already
 */
export async function setPostHeld(
  tx: Db,
  id: string,
  now: number,
): Promise<{ releasedAt: Date } | undefined> {
  const [before] = await tx
    .select({ releasedAt: posts.releasedAt })
    .from(posts)
    .where(and(eq(posts.id, id), isNotNull(posts.releasedAt), isNull(posts.deletedAt)))
    .for('update')
  if (!before?.releasedAt) return undefined
  await tx
    .update(posts)
    .set({ releasedAt: null, heldAt: new Date(now) })
    .where(eq(posts.id, id))
  return { releasedAt: before.releasedAt }
}

/** Releases a held post. */
export async function releaseHeldPost(tx: Db, id: string, releasedAt: Date): Promise<void> {
  await tx
    .update(posts)
    .set({ releasedAt, heldAt: null })
    .where(and(eq(posts.id, id), isNotNull(posts.heldAt)))
}

/** Takes back the broadcast of a post that has reached no one yet. @returns whether there was one */
export async function takeBackFanOut(tx: Db, postId: string): Promise<boolean> {
  const taken = await tx
    .delete(fanOuts)
    .where(and(eq(fanOuts.subjectId, postId), eq(fanOuts.stretch, 0), isNull(fanOuts.doneAt)))
    .returning({ id: fanOuts.subjectId })
  return taken.length > 0
}

export async function lockComment(tx: Db, id: string): Promise<typeof comments.$inferSelect | undefined> {
  return (await tx.select().from(comments).where(eq(comments.id, id)).for('update'))[0]
}

/** Holds a comment that was added in the same transaction: added first, it has its row of counts. */
export async function setCommentHeld(tx: Db, id: string, at: Date): Promise<void> {
  await tx.update(comments).set({ heldAt: at, deletedAt: at }).where(eq(comments.id, id))
}

/** Shows a held comment. A measure that withholds it stays. */
export async function showHeldComment(tx: Db, id: string): Promise<void> {
  await tx
    .update(comments)
    .set({ heldAt: null, deletedAt: null })
    .where(and(eq(comments.id, id), isNotNull(comments.heldAt), isNull(comments.withheldAt)))
}

/** Title, introduction and text of a post; null without a post. */
const textsOfPost = sql<string>`case when ${posts.id} is not null
  then concat_ws(E'\\n', nullif(${posts.title}, ''), nullif(${posts.introduction}, ''), ${posts.content}) end`

export interface OwnHoldRow extends HoldRow {
  readonly text: string | null
  readonly postId: string | null
}

/** Holds of an author's posts and comments with their present texts, the latest first. */
export async function listHoldsOf(
  db: Db,
  ownerId: string,
  after: { readonly at: Date; readonly id: string } | undefined,
  limit: number,
): Promise<OwnHoldRow[]> {
  const rows = await db
    .select({
      hold: holds,
      text: sql<string | null>`coalesce(${textsOfPost}, ${comments.content})`,
      postId: sql<string | null>`coalesce(${posts.id}, ${comments.postId})`,
    })
    .from(holds)
    .leftJoin(posts, and(eq(holds.targetKind, 'post'), eq(posts.id, holds.targetId)))
    .leftJoin(comments, and(eq(holds.targetKind, 'comment'), eq(comments.id, holds.targetId)))
    .where(and(eq(holds.ownerId, ownerId), olderThan(after)))
    .orderBy(desc(holds.createdAt), desc(holds.id))
    .limit(limit)
  return rows.map(({ hold, ...rest }) => ({ ...hold, ...rest }))
}

const olderThan = (place: { readonly at: Date; readonly id: string } | undefined): SQL | undefined =>
  place &&
  sql`(${holds.createdAt}, ${holds.id}) < (${place.at.toISOString()}::timestamptz, ${place.id}::uuid)`

export interface HeldCommentRow {
  readonly hold: HoldRow
  readonly comment: typeof comments.$inferSelect
}

/** Comments that wait for the review of a creator, the latest first. */
export async function listHeldFor(
  db: Db,
  creatorId: string,
  after: { readonly at: Date; readonly id: string } | undefined,
  limit: number,
): Promise<HeldCommentRow[]> {
  return db
    .select({ hold: holds, comment: comments })
    .from(holds)
    .innerJoin(comments, eq(comments.id, holds.targetId))
    .where(and(eq(holds.creatorId, creatorId), eq(holds.state, 'open'), olderThan(after)))
    .orderBy(desc(holds.createdAt), desc(holds.id))
    .limit(limit)
}

/** The present texts of posts and comments, by their ids. */
export async function textsOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const ofPosts = db
    .select({ id: posts.id, text: textsOfPost })
    .from(posts)
    .where(inArray(posts.id, [...ids]))
  const ofComments = db
    .select({ id: comments.id, text: comments.content })
    .from(comments)
    .where(inArray(comments.id, [...ids]))
  return new Map((await ofPosts.unionAll(ofComments)).map((row) => [row.id, row.text]))
}
