// What the pages of posts need beside the posts: their media and the plans that open them.
import { asc, eq, inArray } from 'drizzle-orm'
import type { Db } from './database.ts'
import type { MediaRole, MediaRow } from './media.ts'
import type { Plan } from './plans.ts'
import { media } from './tables/media.ts'
import { plans } from './tables/plans.ts'
import { postMedia } from './tables/posts.ts'

export interface ShownMedia {
  readonly role: MediaRole
  /** In its author's words; '' for nothing said. */
  readonly alt: string
  readonly media: MediaRow
}

/** Media of several posts, in the order their author gave. */
export async function mediaOfPosts(db: Db, postIds: readonly string[]): Promise<Map<string, ShownMedia[]>> {
  const byPost = new Map<string, ShownMedia[]>()
  if (postIds.length === 0) return byPost
  const rows = await db
    .select({ postId: postMedia.postId, role: postMedia.role, alt: postMedia.alt, media })
    .from(postMedia)
    .innerJoin(media, eq(media.id, postMedia.mediaId))
    .where(inArray(postMedia.postId, [...postIds]))
    .orderBy(asc(postMedia.position), asc(postMedia.mediaId))
  for (const { postId, ...shown } of rows) byPost.set(postId, [...(byPost.get(postId) ?? []), shown])
  return byPost
}

/** Plans by id, cheapest first. */
export async function findPlans(db: Db, ids: readonly string[]): Promise<Plan[]> {
  if (ids.length === 0) return []
  return db
    .select()
    .from(plans)
    .where(inArray(plans.id, [...new Set(ids)]))
    .orderBy(asc(plans.price), asc(plans.id))
}
