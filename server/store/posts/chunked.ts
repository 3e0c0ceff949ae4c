// Uploads by chunks: videos whose chunks arrive after their post was added.
import { and, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { media, uploads } from '#server/store/tables/media.ts'
import { postMedia, posts } from '#server/store/tables/posts.ts'
import type { UploadRow } from '#server/store/media/uploads.ts'

/** An upload by chunks, and its post. */
export interface ChunkedRow extends UploadRow {
  readonly received: number
  /** Null once the post is deleted. */
  readonly postId: string | null
  readonly releasedAt: Date | null
}

/** Makes a claimed upload one that arrives by chunks. */
export async function awaitUpload(db: Db, id: string, wantedDigest: string | null): Promise<void> {
  await db.update(uploads).set({ received: 0, wantedDigest }).where(eq(uploads.id, id))
}

/** Marks the media of such an upload as one whose bytes are still to come. */
export async function awaitMedia(db: Db, id: string): Promise<void> {
  await db.update(media).set({ state: 'awaited' }).where(eq(media.id, id))
}

export async function findChunked(db: Db, id: string): Promise<ChunkedRow | undefined> {
  const rows = await db
    .select({
      upload: uploads,
      postId: postMedia.postId,
      releasedAt: sql<Date | null>`coalesce(${posts.releasedAt}, ${posts.heldAt})`.mapWith(posts.createdAt),
    })
    .from(uploads)
    .leftJoin(postMedia, eq(postMedia.mediaId, uploads.id))
    .leftJoin(posts, eq(posts.id, postMedia.postId))
    .where(and(eq(uploads.id, id), isNotNull(uploads.received)))
  return rows.map(({ upload, postId, releasedAt }) => ({
    ...upload,
    received: upload.received ?? 0,
    postId,
    releasedAt,
  }))[0]
}

/** The video of an author's post that is still awaited. */
export async function findAwaitedVideo(
  db: Db,
  postId: string,
  authorId: string,
): Promise<string | undefined> {
  const rows = await db
    .select({ id: media.id })
    .from(posts)
    .innerJoin(postMedia, eq(postMedia.postId, posts.id))
    .innerJoin(media, eq(media.id, postMedia.mediaId))
    .where(and(eq(posts.id, postId), eq(posts.authorId, authorId), eq(media.state, 'awaited')))
  return rows[0]?.id
}

/** Bytes of a post's other files. */
export async function bytesBeside(db: Db, postId: string, uploadId: string): Promise<number> {
  const ofPost = db.select({ id: postMedia.mediaId }).from(postMedia).where(eq(postMedia.postId, postId))
  const rows = await db
    .select({ bytes: sql<string>`coalesce(sum(${uploads.length}), 0)` })
    .from(uploads)
    .where(and(inArray(uploads.id, ofPost), ne(uploads.id, uploadId)))
  return Number(rows[0]?.bytes ?? 0)
}

export interface Counted {
  readonly chunk: number
  readonly chunks: number
  readonly filename: string
  /** Bytes of the whole file; for the last chunk. */
  readonly length: number | null
}

/**
 * Counts the next chunk, whose bytes are on the disk.
 * @returns false when another request counted it first
 */
export async function countChunk(db: Db, id: string, counted: Counted, now: number): Promise<boolean> {
  const { chunk, chunks, filename, length } = counted
  const rows = await db
    .update(uploads)
    .set({
      received: chunk + 1,
      chunks,
      length,
      metadata: { filename },
      touchedAt: new Date(now),
      finishedAt: length === null ? null : new Date(now),
    })
    .where(and(eq(uploads.id, id), eq(uploads.received, chunk)))
    .returning({ id: uploads.id })
  return rows.length === 1
}

/** Resets an upload to no chunks, since the received bytes are not those of the picked file. */
export async function resetChunks(db: Db, id: string): Promise<void> {
  await db
    .update(uploads)
    .set({ received: 0, chunks: null, length: null, digest: null, finishedAt: null })
    .where(eq(uploads.id, id))
}

/**
 * Lets an awaited video, complete and checked, be converted.
 * @returns false when its chunks were reset
 */
export async function acceptVideo(db: Db, id: string, mime: string): Promise<boolean> {
  const whole = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.id, id), eq(uploads.received, uploads.chunks)))
    .for('update')
  if (whole.length === 0) return false
  const accepted = await db
    .update(media)
    .set({ state: 'processing', mime })
    .where(and(eq(media.id, id), eq(media.state, 'awaited')))
    .returning({ id: media.id })
  return accepted.length === 1
}
