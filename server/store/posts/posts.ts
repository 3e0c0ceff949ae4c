// Posts and purchases: adding, releasing and finding them.
import { and, eq, inArray, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import type { MediaRole } from '#server/store/media/media.ts'
import { type Given, momentOf } from '#server/store/statement.ts'
import { uploads } from '#server/store/tables/media.ts'
import { postMedia, postPlans, posts, postPurchases } from '#server/store/tables/posts.ts'

export type PostRow = typeof posts.$inferSelect
/** What an author writes of a post. */
export type PostTexts = Pick<PostRow, 'content' | 'title' | 'introduction'>
const texts = { content: posts.content, title: posts.title, introduction: posts.introduction }

export interface NewPost {
  readonly id: string
  readonly authorId: string
  readonly idempotencyKey: string | null
  readonly type: 1 | 2 | 3
  readonly content: string
  readonly title?: string
  readonly introduction?: string
  readonly isAgeLimited: boolean
  readonly commentsClosed?: boolean
  readonly price: number | null
}

/**
 * Adds an unreleased post. UNIQUE (author, key) decides between concurrent calls.
 * @returns the id of the post with this key, and whether this call added it
 */
export async function addPostOnce(
  db: Db,
  post: NewPost,
  now: number,
): Promise<{ id: string; fresh: boolean }> {
  const added = await db
    .insert(posts)
    .values({ ...post, createdAt: new Date(now) })
    .onConflictDoNothing({ target: [posts.authorId, posts.idempotencyKey] })
    .returning({ id: posts.id })
  if (added[0]) return { id: added[0].id, fresh: true }
  const first = await findPostByKey(db, post.authorId, post.idempotencyKey ?? '')
  if (!first) throw new Error('the post was refused as a duplicate, but no post has its key')
  return { id: first.id, fresh: false }
}

export async function findPostByKey(
  db: Db,
  authorId: string,
  key: string,
): Promise<{ id: string; isDeleted: boolean; isUnreleased: boolean } | undefined> {
  const rows = await db
    .select({ id: posts.id, deletedAt: posts.deletedAt, releasedAt: posts.releasedAt, heldAt: posts.heldAt })
    .from(posts)
    .where(and(eq(posts.authorId, authorId), eq(posts.idempotencyKey, key)))
  const [post] = rows
  if (!post) return undefined
  const isUnreleased = post.releasedAt === null && post.heldAt === null
  return { id: post.id, isDeleted: post.deletedAt !== null, isUnreleased }
}

/** Whether an author has deleted this post. */
export async function isDeletedPost(db: Db, id: string, authorId: string): Promise<boolean> {
  const rows = await db
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.id, id), eq(posts.authorId, authorId), isNotNull(posts.deletedAt)))
  return rows.length > 0
}

export interface PostMediaRow {
  readonly mediaId: string
  readonly role: MediaRole
  readonly position: number
  readonly alt?: string
}

export async function attachMedia(db: Db, postId: string, attached: readonly PostMediaRow[]): Promise<void> {
  if (attached.length > 0) await db.insert(postMedia).values(attached.map((it) => ({ ...it, postId })))
}

export async function attachPlans(db: Db, postId: string, planIds: readonly string[]): Promise<void> {
  if (planIds.length > 0) await db.insert(postPlans).values(planIds.map((planId) => ({ postId, planId })))
}

export interface Attached extends Pick<PostMediaRow, 'mediaId' | 'role' | 'position'> {
  /** Bytes of the upload; null while its end is not known. */
  readonly length: number | null
  /** Whether all bytes have arrived. */
  readonly isFinished: boolean
}

/** The media of a post with what is known of their uploads. */
export async function listAttached(db: Db, postId: string): Promise<Attached[]> {
  const rows = await db
    .select({
      mediaId: postMedia.mediaId,
      role: postMedia.role,
      position: postMedia.position,
      length: uploads.length,
      finishedAt: uploads.finishedAt,
    })
    .from(postMedia)
    .innerJoin(uploads, eq(uploads.id, postMedia.mediaId))
    .where(eq(postMedia.postId, postId))
  return rows.map(({ finishedAt, ...row }) => ({ ...row, isFinished: finishedAt !== null }))
}

/** The media id of a post's video, if it has one. */
export async function findVideoOf(db: Db, postId: string): Promise<string | null> {
  const rows = await db
    .select({ id: postMedia.mediaId })
    .from(postMedia)
    .where(and(eq(postMedia.postId, postId), eq(postMedia.role, 'video')))
  return rows[0]?.id ?? null
}

export interface Released extends PostTexts {
  readonly releasedAt: Date
  readonly fresh: boolean
}

/**
 * Releases a post once: only the first call finds it unreleased. A held post counts as released.
 * @returns undefined when this author has no such post
 */
export async function releasePostOnce(
  db: Db,
  id: string,
  authorId: string,
  now: number,
): Promise<Released | undefined> {
  const mine = and(eq(posts.id, id), eq(posts.authorId, authorId), isNull(posts.deletedAt))
  const first = await db
    .update(posts)
    .set({ releasedAt: new Date(now) })
    .where(and(mine, isNull(posts.releasedAt), isNull(posts.heldAt)))
    .returning({ releasedAt: posts.releasedAt, ...texts })
  if (first[0]?.releasedAt) return { ...first[0], releasedAt: first[0].releasedAt, fresh: true }
  const [released] = await db
    .select({
      at: sql<Date | null>`coalesce(${posts.releasedAt}, ${posts.heldAt})`.mapWith(posts.createdAt),
      ...texts,
    })
    .from(posts)
    .where(mine)
  if (!released?.at) return undefined
  const { at: releasedAt, ...written } = released
  return { releasedAt, fresh: false, ...written }
}

export interface PageStart {
  readonly at: Date
  readonly id: string
}

/** Parameters for the posts that are older than a place; without a place, all of them. */
export interface OlderThan {
  readonly olderAt: string
  readonly olderId: string
}

export const olderTypes = { olderAt: 'timestamptz', olderId: 'uuid' } as const

export const olderThan = (place: PageStart | undefined): OlderThan =>
  place
    ? { olderAt: momentOf(place.at), olderId: place.id }
    : { olderAt: 'infinity', olderId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

export async function findPost(db: Db, id: string): Promise<PostRow | undefined> {
  return (await db.select().from(posts).where(eq(posts.id, id)))[0]
}

/** The plans that open each of these posts, by post id. */
export async function plansOpening(db: Db, postIds: readonly string[]): Promise<Map<string, string[]>> {
  const byPost = new Map<string, string[]>()
  if (postIds.length === 0) return byPost
  const rows = await db
    .select()
    .from(postPlans)
    .where(inArray(postPlans.postId, [...postIds]))
    .orderBy(postPlans.postId, postPlans.planId)
  for (const row of rows) byPost.set(row.postId, [...(byPost.get(row.postId) ?? []), row.planId])
  return byPost
}

/** For a where clause over purchases: the person's purchases without a refund. */
export function boughtBy(userId: Given): SQL | undefined {
  return and(eq(postPurchases.userId, userId), isNull(postPurchases.revokedAt))
}

/**
 * Records a purchase, or another one after a refund. Authors cannot buy their own posts.
 * @returns false when the person has bought the post already, or may not
 */
export async function addPurchase(
  db: Db,
  postId: string,
  userId: string,
  price: number,
  now: number,
): Promise<boolean> {
  const boughtAt = new Date(now)
  const bought = await db
    .insert(postPurchases)
    .select(
      db
        .select({
          postId: posts.id,
          userId: sql`${userId}::uuid`.as('user_id'),
          price: sql`${price}::integer`.as('price'),
          boughtAt: sql`${boughtAt.toISOString()}::timestamptz`.as('bought_at'),
          revokedAt: sql`null::timestamptz`.as('revoked_at'),
        })
        .from(posts)
        .where(and(eq(posts.id, postId), ne(posts.authorId, userId))),
    )
    .onConflictDoUpdate({
      target: [postPurchases.postId, postPurchases.userId],
      set: { price, boughtAt, revokedAt: null },
      setWhere: isNotNull(postPurchases.revokedAt),
    })
    .returning({ postId: postPurchases.postId })
  return bought.length === 1
}

/** Records the refund of a purchase, which then no longer opens its post. */
export async function revokePurchase(db: Db, postId: string, userId: string, now: number): Promise<void> {
  await db
    .update(postPurchases)
    .set({ revokedAt: new Date(now) })
    .where(and(eq(postPurchases.postId, postId), eq(postPurchases.userId, userId)))
}
