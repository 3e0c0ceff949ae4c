// Updates the search index of posts and people, in the transaction that changes them; and finds rows without an entry.
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { users } from '#server/store/tables/people.ts'
import { posts } from '#server/store/tables/posts.ts'
import { personSearch, postSearch } from '#server/store/tables/search.ts'

/** Made by `server/rules/search-grams.ts`. */
export interface Found {
  readonly folded: string
  readonly grams: readonly string[]
}

export interface FoundPerson extends Found {
  readonly name: string
}

const vector = (grams: readonly string[]) => sql<string>`array_to_tsvector(${sql.param([...grams])}::text[])`

/** From here on a released post is found by these words and by no others. */
export async function indexPost(db: Db, postId: string, releasedAt: Date, found: Found): Promise<void> {
  const set = { releasedAt, grams: vector(found.grams), folded: found.folded }
  await db
    .insert(postSearch)
    .values({ postId, ...set })
    .onConflictDoUpdate({ target: postSearch.postId, set })
}

/** Call when a post is deleted. It is not found then anyway; its words need not stay. */
export async function unindexPost(db: Db, postId: string): Promise<void> {
  await db.delete(postSearch).where(eq(postSearch.postId, postId))
}

/** From here on a person is found by these words. */
export async function indexPerson(db: Db, userId: string, found: FoundPerson): Promise<void> {
  const set = { name: found.name, grams: vector(found.grams), folded: found.folded }
  await db
    .insert(personSearch)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: personSearch.userId, set })
}

export async function unindexPerson(db: Db, userId: string): Promise<void> {
  await db.delete(personSearch).where(eq(personSearch.userId, userId))
}

/** Released posts without an index entry. Locked: simultaneous changes come after. */
export async function listUnindexedPosts(tx: Db, limit: number): Promise<string[]> {
  const rows = await tx
    .select({ id: posts.id })
    .from(posts)
    .leftJoin(postSearch, eq(postSearch.postId, posts.id))
    .where(and(isNull(postSearch.postId), isNotNull(posts.releasedAt), isNull(posts.deletedAt)))
    .orderBy(asc(posts.id))
    .limit(limit)
    .for('update', { of: posts })
  return rows.map((row) => row.id)
}

/** People without an index entry, locked too. */
export async function listUnindexedPeople(tx: Db, limit: number): Promise<string[]> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .leftJoin(personSearch, eq(personSearch.userId, users.id))
    .where(and(isNull(personSearch.userId), isNull(users.deletedAt)))
    .orderBy(asc(users.id))
    .limit(limit)
    .for('update', { of: users })
  return rows.map((row) => row.id)
}
