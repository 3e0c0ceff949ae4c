// Erases the posts and files of a person, except what buyers may still read.
import { and, eq, inArray, not, notExists, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { postColumns } from '#server/store/personal/content.ts'
import { erasedRow } from '#server/store/personal/duties.ts'
import type { Db } from '#server/store/database.ts'
import { media, objectRemovals, uploads, userPictures } from '#server/store/tables/media.ts'
import {
  postMedia,
  postPlans,
  posts,
  postPurchases,
  postVersions,
  withdrawnKeys,
} from '#server/store/tables/posts.ts'
import { comments, postLikes } from '#server/store/tables/reactions.ts'
import { postSearch } from '#server/store/tables/search.ts'
import { isKept } from './kept.ts'

/** For a where clause: a media is not of a post that the erasure leaves to its buyers. */
export const notKept = (mediaId: AnyPgColumn): SQL =>
  sql`not exists (select 1 from ${postMedia} join ${posts} on ${posts.id} = ${postMedia.postId}
    where ${postMedia.mediaId} = ${mediaId} and ${isKept})`

/**
 * A bought post stays whole while its buyers may read it, and otherwise as an empty row, since the purchase refers to it.
 * Its comments and likes are removed.
 */
export async function erasePosts(tx: Db, userId: string, now: number): Promise<void> {
  const own = tx.select({ id: posts.id }).from(posts).where(eq(posts.authorId, userId))
  const ended = tx
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.authorId, userId), not(isKept)))
  await tx.delete(postMedia).where(inArray(postMedia.postId, ended))
  await tx.delete(postVersions).where(inArray(postVersions.postId, ended))
  await tx.delete(postPlans).where(inArray(postPlans.postId, own))
  await tx.delete(postLikes).where(inArray(postLikes.postId, own))
  await tx.delete(comments).where(inArray(comments.postId, own))
  await tx.delete(postSearch).where(inArray(postSearch.postId, own))
  const unbought = notExists(
    tx
      .select({ one: sql`1` })
      .from(postPurchases)
      .where(eq(postPurchases.postId, posts.id)),
  )
  await tx.delete(withdrawnKeys).where(eq(withdrawnKeys.authorId, userId))
  await tx.delete(posts).where(and(eq(posts.authorId, userId), unbought))
  await tx
    .update(posts)
    .set(erasedRow(postColumns, { id: userId, at: new Date(now) }))
    .where(and(eq(posts.authorId, userId), not(isKept)))
  await tx.update(posts).set({ idempotencyKey: null }).where(eq(posts.authorId, userId))
}

/** Files of kept posts stay, without the names that they had on the device. */
export async function eraseMediaRows(tx: Db, userId: string): Promise<void> {
  const ended = and(eq(uploads.ownerId, userId), notKept(uploads.id))
  const own = tx.select({ id: uploads.id }).from(uploads).where(ended)
  await tx.delete(userPictures).where(eq(userPictures.userId, userId))
  await tx.delete(media).where(inArray(media.id, own))
  await tx.delete(uploads).where(ended)
  const unnamed = { metadata: sql`${uploads.metadata} - 'filename'` }
  await tx.update(uploads).set(unnamed).where(eq(uploads.ownerId, userId))
  await tx.delete(objectRemovals).where(eq(objectRemovals.ownerId, userId))
}
