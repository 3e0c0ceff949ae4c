// Finding posts by their words, among those the viewer may read in full and no others.
import { and, desc, eq, exists, gt, isNull, not, or, type SQL, sql } from 'drizzle-orm'
import { notApart } from './blocks.ts'
import type { Db } from './database.ts'
import { notMuted } from './mutes.ts'
import type { PageStart, PostRow } from './posts.ts'
import { deletions } from './tables/accounts.ts'
import { users } from './tables/people.ts'
import { planMembers } from './tables/plans.ts'
import { postMedia, postPlans, posts, postPurchases } from './tables/posts.ts'
import { postSearch } from './tables/search.ts'

/** Made by `server/rules/search-grams.ts`. */
export interface Asked {
  readonly tsquery: string
  readonly recheck: readonly string[]
}

export interface Searcher {
  readonly id: string
  /** Old enough for age-limited posts, and has chosen to see them. */
  readonly seesAgeLimited: boolean
}

export interface PostFilters {
  readonly type?: 1 | 2 | 3 | undefined
  readonly media?: 'image' | 'video' | 'text' | undefined
  /** Released after this. */
  readonly since?: Date | undefined
}

const one = sql`1`

function opensByPlan(db: Db, userId: string, now: Date): SQL {
  return exists(
    db
      .select({ one })
      .from(postPlans)
      .innerJoin(planMembers, eq(planMembers.planId, postPlans.planId))
      .where(
        and(
          eq(postPlans.postId, posts.id),
          eq(planMembers.userId, userId),
          or(isNull(planMembers.endsAt), gt(planMembers.endsAt, now)),
        ),
      ),
  )
}

function bought(db: Db, userId: string): SQL {
  return exists(
    db
      .select({ one })
      .from(postPurchases)
      .where(
        and(
          eq(postPurchases.postId, posts.id),
          eq(postPurchases.userId, userId),
          isNull(postPurchases.revokedAt),
        ),
      ),
  )
}

/**
 * The policy's `full` (`server/rules/post-access.ts`) for released posts, as a condition: what it lets through is no
 * more than the policy does, so that neither a place in the list nor a cursor tells of words one may not read.
 */
function readable(db: Db, viewer: Searcher, now: Date): SQL | undefined {
  const authorPresent = and(
    isNull(users.deletedAt),
    isNull(users.suspendedAt),
    not(exists(db.select({ one }).from(deletions).where(eq(deletions.userId, posts.authorId)))),
  )
  const opened = or(
    eq(posts.type, 1),
    and(eq(posts.type, 2), opensByPlan(db, viewer.id, now)),
    and(eq(posts.type, 3), bought(db, viewer.id)),
  )
  const age = viewer.seesAgeLimited ? undefined : eq(posts.isAgeLimited, false)
  return and(
    isNull(posts.deletedAt),
    authorPresent,
    or(eq(posts.authorId, viewer.id), and(age, opened)),
    notApart(viewer.id, posts.authorId),
    notMuted(viewer.id, posts.authorId),
  )
}

function withMedia(db: Db, media: PostFilters['media']): SQL | undefined {
  const has = (role: 'image' | 'video') =>
    exists(
      db
        .select({ one })
        .from(postMedia)
        .where(and(eq(postMedia.postId, posts.id), eq(postMedia.role, role))),
    )
  switch (media) {
    case undefined:
      return undefined
    case 'text':
      return and(not(has('image')), not(has('video')))
    case 'image':
    case 'video':
      return has(media)
    default:
      return media satisfies never
  }
}

/** Posts that hold every word asked for, newest first; ids break ties. */
export async function searchPosts(
  db: Db,
  viewer: Searcher,
  asked: Asked,
  page: { filters: PostFilters; after: PageStart | undefined; limit: number; now: number },
): Promise<PostRow[]> {
  const { filters, after } = page
  const rows = await db
    .select({ post: posts })
    .from(postSearch)
    .innerJoin(posts, eq(posts.id, postSearch.postId))
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(
      and(
        sql`${postSearch.grams} @@ ${asked.tsquery}::tsquery`,
        ...asked.recheck.map((it) => sql`strpos(${postSearch.folded}, ${it}) > 0`),
        filters.since && gt(postSearch.releasedAt, filters.since),
        filters.type && eq(posts.type, filters.type),
        withMedia(db, filters.media),
        after &&
          sql`(${postSearch.releasedAt}, ${postSearch.postId}) < (${after.releasedAt.toISOString()}::timestamptz, ${after.id}::uuid)`,
        readable(db, viewer, new Date(page.now)),
      ),
    )
    .orderBy(desc(postSearch.releasedAt), desc(postSearch.postId))
    .limit(page.limit)
  return rows.map((row) => row.post)
}
