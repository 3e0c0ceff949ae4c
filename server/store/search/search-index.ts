// Entries of the search index for posts and people, and rows that have no entry.
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { users } from '#server/store/tables/people.ts'
import { posts } from '#server/store/tables/posts.ts'
import { personSearch, postSearch } from '#server/store/tables/search.ts'

/** The indexed text, made by `server/rules/search-grams.ts`. */
export interface IndexedText {
  readonly folded: string
  readonly grams: readonly string[]
}

export interface IndexedPost extends IndexedText {
  /** Its open title and introduction; null without them. */
  readonly open: IndexedText | null
}

export interface IndexedPerson extends IndexedText {
  readonly name: string
}

const vector = (grams: readonly string[]) => sql<string>`array_to_tsvector(${sql.param([...grams])}::text[])`

/** Adds or replaces the index entry of a released post. */
export async function indexPost(
  db: Db,
  postId: string,
  releasedAt: Date,
  { grams, folded, open }: IndexedPost,
): Promise<void> {
  const openGrams = open && vector(open.grams)
  const set = { releasedAt, grams: vector(grams), folded, openGrams, openFolded: open?.folded ?? null }
  await db
    .insert(postSearch)
    .values({ postId, ...set })
    .onConflictDoUpdate({ target: postSearch.postId, set })
}

/** Removes the index entry of a deleted post, which searches would exclude anyway. */
export async function unindexPost(db: Db, postId: string): Promise<void> {
  await db.delete(postSearch).where(eq(postSearch.postId, postId))
}

/** Adds or replaces the index entry of a person. */
export async function indexPerson(db: Db, userId: string, indexed: IndexedPerson): Promise<void> {
  const set = { name: indexed.name, grams: vector(indexed.grams), folded: indexed.folded }
  await db
    .insert(personSearch)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: personSearch.userId, set })
}

export async function unindexPerson(db: Db, userId: string): Promise<void> {
  await db.delete(personSearch).where(eq(personSearch.userId, userId))
}

/** Locks and returns released posts without an index entry; concurrent changes wait. */
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

/** Locks and returns people without an index entry. */
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
