// The pages of the sitemap: open posts and their authors, which share cards show.
import { and, asc, countDistinct, count, eq, isNotNull, isNull, max, notExists, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { deletions } from '#server/store/tables/accounts.ts'
import { users } from '#server/store/tables/people.ts'
import { posts } from '#server/store/tables/posts.ts'
import { userSettings } from '#server/store/tables/settings.ts'

export interface PublicPage {
  readonly id: string
  readonly changedAt: Date
}

const isOpen = (db: Db) =>
  and(
    eq(posts.type, 1),
    eq(posts.isAgeLimited, false),
    isNotNull(posts.releasedAt),
    isNull(posts.deletedAt),
    isNull(users.deletedAt),
    isNull(users.suspendedAt),
    notExists(
      db
        .select({ one: sql`1` })
        .from(userSettings)
        .where(and(eq(userSettings.userId, posts.authorId), eq(userSettings.showsShareCard, false))),
    ),
    notExists(
      db
        .select({ one: sql`1` })
        .from(deletions)
        .where(eq(deletions.userId, posts.authorId)),
    ),
  )

export async function countOpen(db: Db): Promise<{ posts: number; people: number }> {
  const rows = await db
    .select({ posts: count(), people: countDistinct(posts.authorId) })
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(isOpen(db))
  return { posts: Number(rows[0]?.posts ?? 0), people: Number(rows[0]?.people ?? 0) }
}

/** Open posts, the oldest first, so that a full page changes only if one of its posts does. */
export async function listOpenPosts(db: Db, page: { offset: number; limit: number }): Promise<PublicPage[]> {
  const changedAt = sql<Date>`coalesce(${posts.editedAt}, ${posts.releasedAt})`.mapWith(posts.createdAt)
  return db
    .select({ id: posts.id, changedAt })
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(isOpen(db))
    .orderBy(asc(posts.releasedAt), asc(posts.id))
    .offset(page.offset)
    .limit(page.limit)
}

/** People with an open post, the oldest account first. */
export async function listOpenPeople(db: Db, page: { offset: number; limit: number }): Promise<PublicPage[]> {
  const rows = await db
    .select({ id: users.id, changedAt: max(posts.releasedAt) })
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(isOpen(db))
    .groupBy(users.id, users.createdAt)
    .orderBy(asc(users.createdAt), asc(users.id))
    .offset(page.offset)
    .limit(page.limit)
  return rows.flatMap(({ id, changedAt }) => (changedAt ? [{ id, changedAt }] : []))
}
