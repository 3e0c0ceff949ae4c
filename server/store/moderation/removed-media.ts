// Hashes of media of posts, and the list of those that measures removed.
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { statement } from '#server/store/statement.ts'
import { media, mediaHashes, removedMedia, uploads } from '#server/store/tables/media.ts'
import { postMedia } from '#server/store/tables/posts.ts'

/** Roles of media whose hashes are compared; a blurred picture resembles many. */
const roles = ['image', 'video', 'thumbnail'] as const

export interface HashedMedia {
  readonly id: string
  readonly kind: 'image' | 'video'
  readonly widths: readonly number[]
  readonly hasPoster: boolean
  /** Of the upload; null until it is computed. */
  readonly digest: string | null
  readonly isHashed: boolean
}

/** Media of a post whose hashes are compared. */
export async function listHashable(db: Db, postId: string): Promise<HashedMedia[]> {
  const rows = await db
    .select({
      id: media.id,
      kind: media.kind,
      made: media.made,
      digest: uploads.digest,
      hashed: mediaHashes.mediaId,
    })
    .from(postMedia)
    .innerJoin(media, eq(media.id, postMedia.mediaId))
    .innerJoin(uploads, eq(uploads.id, media.id))
    .leftJoin(mediaHashes, eq(mediaHashes.mediaId, media.id))
    .where(and(eq(postMedia.postId, postId), inArray(postMedia.role, [...roles])))
    .orderBy(media.id)
  return rows.map(({ made, hashed, ...it }) => ({
    ...it,
    widths: made.widths,
    hasPoster: made.poster,
    isHashed: hashed !== null,
  }))
}

/** @param picture 64 bits as 0 and 1; null without a picture that can be compared */
export async function setHash(tx: Db, mediaId: string, picture: string | null): Promise<void> {
  await tx
    .insert(mediaHashes)
    .values({ mediaId, picture })
    .onConflictDoUpdate({ target: mediaHashes.mediaId, set: { picture } })
}

export async function hasRemovedMedia(db: Db): Promise<boolean> {
  return (await db.select({ id: removedMedia.mediaId }).from(removedMedia).limit(1)).length > 0
}

/** Puts the media of a removed post on the list; those whose digest is known. It may be repeated. */
export async function listRemoved(tx: Db, postId: string, now: number): Promise<void> {
  await tx.execute(sql`insert into removed_media (media_id, post_id, digest, picture, created_at)
    select a.media_id, a.post_id, u.digest, h.picture, ${new Date(now).toISOString()}::timestamptz
    from post_media a join uploads u on u.id = a.media_id left join media_hashes h on h.media_id = a.media_id
    where a.post_id = ${postId} and a.role in ('image', 'video', 'thumbnail') and u.digest is not null
    on conflict (media_id) do nothing`)
}

/** Takes the media of a post off the list. */
export async function unlistRemoved(tx: Db, postId: string): Promise<void> {
  await tx.delete(removedMedia).where(eq(removedMedia.postId, postId))
}

/**
 * How close the media of a post are to removed ones of other posts.
 * @param most different bits of two hashes that still count; 0 compares files alone
 * @returns the least number of different bits, 0 for the same file; undefined when none is close
 */
export async function distanceToRemoved(db: Db, postId: string, most: number): Promise<number | undefined> {
  const close = await distances(db, { post: postId, most })
  return close[0]?.distance ?? undefined
}

interface Compared {
  readonly post: string
  readonly most: number
}

const distances = statement<Compared, { readonly distance: number | null }>(
  { post: 'uuid', most: 'integer' },
  (param) => sql`
    with own as (
      select u.digest, h.picture from post_media a join uploads u on u.id = a.media_id
      left join media_hashes h on h.media_id = a.media_id
      where a.post_id = ${param('post')} and a.role in ('image', 'video', 'thumbnail'))
    select min(distance)::int as distance from (
      select 0 as distance from own join removed_media r on r.digest = own.digest and r.post_id <> ${param('post')}
      union all
      select bit_count(r.picture # own.picture) from own join removed_media r
        on r.post_id <> ${param('post')} and ${param('most')} > 0
        and bit_count(r.picture # own.picture) <= ${param('most')}
    ) as close`,
)
