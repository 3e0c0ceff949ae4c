// Media: uploads that a post, message or person holds, with what was made.
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { MediaFailure } from '#contract/posts/media.ts'
import type { Db } from '#server/store/database.ts'
import { type MadeVariants, media, uploads, userPictures } from '#server/store/tables/media.ts'
import { messageMedia } from '#server/store/tables/messages.ts'
import { notices } from '#server/store/tables/notifications.ts'
import { planPictures, plans } from '#server/store/tables/plans.ts'
import { postMedia } from '#server/store/tables/posts.ts'
import { isBelow } from './upload-keys.ts'

export type MediaRow = typeof media.$inferSelect
export type MediaRole = (typeof postMedia.$inferSelect)['role']

export interface NewMedia {
  readonly id: string
  readonly kind: 'image' | 'video'
  readonly mime: string
  readonly duration: number | null
}

const nothingMade: MadeVariants = { widths: [], poster: false, blurred: false }

/**
 * Makes uploads held. Locks them first, so that neither expiry nor their owner deletes them. Uploads for an identity
 * check are refused.
 * @returns ids of uploads that are deleted, held already or refused
 */
export async function holdUploads(db: Db, held: readonly NewMedia[], now: number): Promise<string[]> {
  if (held.length === 0) return []
  const ids = held.map((it) => it.id).sort()
  const locked = await db
    .select({ id: uploads.id, expiredAt: uploads.expiredAt })
    .from(uploads)
    .where(and(inArray(uploads.id, ids), isBelow('uploads')))
    .orderBy(uploads.id)
    .for('update')
  const alive = new Set(locked.filter((row) => row.expiredAt === null).map((row) => row.id))
  const rows = held
    .filter((it) => alive.has(it.id))
    .map((it) => ({ ...it, state: 'processing' as const, made: nothingMade, createdAt: new Date(now) }))
  const taken = rows.length
    ? await db
        .insert(media)
        .values(rows)
        .onConflictDoNothing({ target: media.id })
        .returning({ id: media.id })
    : []
  const takenIds = new Set(taken.map((row) => row.id))
  return ids.filter((id) => !takenIds.has(id))
}

export async function findMedia(db: Db, id: string): Promise<MediaRow | undefined> {
  return (await db.select().from(media).where(eq(media.id, id)))[0]
}

/** What shows a media: a post, a message, a notice of the operator, or the profile or plan of a person. */
export type MediaHolder =
  | { readonly is: 'post'; readonly postId: string; readonly role: MediaRole }
  | { readonly is: 'message'; readonly messageId: string }
  | { readonly is: 'notice'; readonly noticeId: string }
  | { readonly is: 'person'; readonly userId: string }

/** @returns undefined when nothing shows the media */
export async function findHolder(db: Db, id: string): Promise<MediaHolder | undefined> {
  const held = await db
    .select({ postId: postMedia.postId, role: postMedia.role })
    .from(postMedia)
    .where(eq(postMedia.mediaId, id))
  if (held[0]) return { is: 'post', ...held[0] }
  const sent = await db
    .select({ messageId: messageMedia.messageId })
    .from(messageMedia)
    .where(eq(messageMedia.mediaId, id))
  if (sent[0]) return { is: 'message', ...sent[0] }
  const told = await db
    .select({ noticeId: notices.id })
    .from(notices)
    .where(eq(notices.pictureId, id))
    .limit(1)
  if (told[0]) return { is: 'notice', ...told[0] }
  const shown = await db
    .select({ userId: userPictures.userId })
    .from(userPictures)
    .where(eq(userPictures.mediaId, id))
    .unionAll(
      db
        .select({ userId: plans.creatorId })
        .from(planPictures)
        .innerJoin(plans, eq(plans.id, planPictures.planId))
        .where(eq(planPictures.mediaId, id)),
    )
    .limit(1)
  return shown[0] ? { is: 'person', userId: shown[0].userId } : undefined
}

/** Deletes a media row and its upload. */
export async function removeMediaRows(db: Db, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(media).where(eq(media.id, id))
    await tx.delete(uploads).where(eq(uploads.id, id))
  })
}

/** The chosen thumbnail of the post to which a video belongs. */
export async function findThumbnailOf(db: Db, videoId: string): Promise<string | undefined> {
  const rows = await db
    .select({ id: sql<string>`thumb.media_id` })
    .from(postMedia)
    .innerJoin(
      sql`post_media as thumb`,
      sql`thumb.post_id = ${postMedia.postId} and thumb.role = 'thumbnail'`,
    )
    .where(eq(postMedia.mediaId, videoId))
  return rows[0]?.id
}

export interface Made {
  readonly width: number | null
  readonly height: number | null
  readonly duration: number | null
  readonly animated: boolean
  readonly made: MadeVariants
}

export async function setMediaReady(db: Db, id: string, made: Made): Promise<void> {
  await db
    .update(media)
    .set({
      ...made,
      duration: sql`coalesce(${made.duration}, ${media.duration})`,
      state: 'ready',
      failure: null,
    })
    .where(eq(media.id, id))
}

/** Requests smaller renditions of a ready video. */
export async function requestLadder(db: Db, id: string, now: number): Promise<void> {
  await db
    .update(media)
    .set({ ladderSince: new Date(now), ladderBegunAt: null })
    .where(eq(media.id, id))
}

/** Records that smaller renditions are begun. The second attempt is the last one. */
export async function beginLadder(db: Db, id: string): Promise<void> {
  const again = sql`case when ${media.ladderBegunAt} is null then ${media.ladderSince} end`
  await db
    .update(media)
    .set({ ladderSince: again, ladderBegunAt: sql`now()` })
    .where(eq(media.id, id))
}

/** Records the heights of a video's smaller renditions; none when none could be made. */
export async function endLadder(db: Db, id: string, steps: readonly number[]): Promise<void> {
  const made = steps.length > 0 ? sql`${media.made} || ${JSON.stringify({ steps })}::jsonb` : undefined
  await db
    .update(media)
    .set({ ladderSince: null, ...(made && { made }) })
    .where(eq(media.id, id))
}

/** What was made before stays named, so that its files are found. @param maker version of what refused the file */
export async function setMediaFailed(
  db: Db,
  id: string,
  { failure, maker }: { failure: MediaFailure; maker: number },
): Promise<void> {
  const made = sql`${media.made} || ${JSON.stringify({ maker })}::jsonb`
  await db.update(media).set({ state: 'failed', failure, made }).where(eq(media.id, id))
}

/** Counts an attempt before it begins, so that a file that crashes its worker fails in the end. */
export async function countAttempt(db: Db, id: string): Promise<number | undefined> {
  const rows = await db
    .update(media)
    .set({ attempts: sql`${media.attempts} + 1`, begunAt: sql`now()` })
    .where(and(eq(media.id, id), eq(media.state, 'processing')))
    .returning({ attempts: media.attempts })
  return rows[0]?.attempts
}

/** Uncounts an attempt that a shutdown of the server interrupted. */
export async function uncountAttempt(db: Db, id: string): Promise<void> {
  await db
    .update(media)
    .set({ attempts: sql`${media.attempts} - 1` })
    .where(eq(media.id, id))
}

export async function listUnfinishedMedia(db: Db): Promise<Pick<MediaRow, 'id' | 'kind'>[]> {
  return db
    .select({ id: media.id, kind: media.kind })
    .from(media)
    .where(eq(media.state, 'processing'))
    .orderBy(media.createdAt, media.id)
}

/** Lets one failed media be converted again. @returns its kind, or undefined when it had not failed */
export async function retryFailedMedia(db: Db, id: string): Promise<MediaRow['kind'] | undefined> {
  const rows = await db
    .update(media)
    .set({ state: 'processing', attempts: 0, failure: null })
    .where(and(eq(media.id, id), eq(media.state, 'failed')))
    .returning({ kind: media.kind })
  return rows[0]?.kind
}

/** Lets media be converted again that were refused because no sandbox worked. */
export async function retryUnconfinedMedia(db: Db): Promise<Pick<MediaRow, 'id' | 'kind'>[]> {
  return db
    .update(media)
    .set({ state: 'processing', attempts: 0, failure: null })
    .where(and(eq(media.state, 'failed'), eq(media.failure, 'no_sandbox')))
    .returning({ id: media.id, kind: media.kind })
}

/** Lets a post's failed media be converted again. */
export async function retryFailedMediaOf(db: Db, postId: string): Promise<Pick<MediaRow, 'id' | 'kind'>[]> {
  const ofPost = db.select({ id: postMedia.mediaId }).from(postMedia).where(eq(postMedia.postId, postId))
  return db
    .update(media)
    .set({ state: 'processing', attempts: 0, failure: null })
    .where(and(eq(media.state, 'failed'), inArray(media.id, ofPost)))
    .returning({ id: media.id, kind: media.kind })
}
