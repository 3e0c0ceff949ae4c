// Entries of the search index for posts and people, and rows that have no entry.
import { and, asc, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { FOLDING } from '#contract/text/fold.ts'
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
  const texts = { grams: vector(grams), folded, openGrams, openFolded: open?.folded ?? null }
  const set = { ...texts, releasedAt, folding: FOLDING }
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
  const set = { name: indexed.name, grams: vector(indexed.grams), folded: indexed.folded, folding: FOLDING }
  await db
    .insert(personSearch)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: personSearch.userId, set })
}

export async function unindexPerson(db: Db, userId: string): Promise<void> {
  await db.delete(personSearch).where(eq(personSearch.userId, userId))
}

/** The rows of one step, in the order of their ids. */
export interface IndexStep {
  /** The id of the last row of the step before; null at the beginning. */
  readonly after: string | null
  readonly limit: number
}

/** Locks and returns released posts without an index entry, or with one of an earlier folding; concurrent changes wait. */
export async function listUnindexedPosts(tx: Db, { after, limit }: IndexStep): Promise<string[]> {
  const rows = await tx
    .select({ id: posts.id })
    .from(posts)
    .leftJoin(postSearch, eq(postSearch.postId, posts.id))
    .where(
      and(
        or(isNull(postSearch.postId), lt(postSearch.folding, FOLDING)),
        isNotNull(posts.releasedAt),
        isNull(posts.deletedAt),
        after === null ? undefined : gt(posts.id, after),
      ),
    )
    .orderBy(asc(posts.id))
    .limit(limit)
    .for('update', { of: posts })
  return rows.map((row) => row.id)
}

/** As `listUnindexedPosts`, of people. */
export async function listUnindexedPeople(tx: Db, { after, limit }: IndexStep): Promise<string[]> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .leftJoin(personSearch, eq(personSearch.userId, users.id))
    .where(
      and(
        or(isNull(personSearch.userId), lt(personSearch.folding, FOLDING)),
        isNull(users.deletedAt),
        after === null ? undefined : gt(users.id, after),
      ),
    )
    .orderBy(asc(users.id))
    .limit(limit)
    .for('update', { of: users })
  return rows.map((row) => row.id)
}
