// Entries of the search index for posts and people, and rows that have no entry.
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { AnyPgTable } from 'drizzle-orm/pg-core'
import { FOLDING } from '#contract/text/fold.ts'
import type { Db } from '#server/store/database.ts'
import { messages } from '#server/store/tables/messages.ts'
import { users } from '#server/store/tables/people.ts'
import { posts } from '#server/store/tables/posts.ts'
import { messageSearch, personSearch, postSearch } from '#server/store/tables/search.ts'

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

/**
 * For an update of an entry. The trigger of `folded` makes the folding positive: a server of an earlier version, which does not name the
 * column, would leave it as it was, and the trigger then sets 1.
 */
const FOLDED_NOW = { folding: -FOLDING }

/** Adds or replaces the index entry of a released post. */
export async function indexPost(
  db: Db,
  postId: string,
  releasedAt: Date,
  { grams, folded, open }: IndexedPost,
): Promise<void> {
  const openGrams = open && vector(open.grams)
  const texts = { grams: vector(grams), folded, openGrams, openFolded: open?.folded ?? null }
  const set = { ...texts, releasedAt }
  await db
    .insert(postSearch)
    .values({ postId, ...set, folding: FOLDING })
    .onConflictDoUpdate({ target: postSearch.postId, set: { ...set, ...FOLDED_NOW } })
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
    .values({ userId, ...set, folding: FOLDING })
    .onConflictDoUpdate({ target: personSearch.userId, set: { ...set, ...FOLDED_NOW } })
}

export async function unindexPerson(db: Db, userId: string): Promise<void> {
  await db.delete(personSearch).where(eq(personSearch.userId, userId))
}

/** Until the transaction ends, entries that are missing or outdated are listed by no other, which would make them a second time. */
export async function lockRemaking(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('search_entries'))`)
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

/** An entry of an earlier folding: its folding, and the id of the row that it is of. */
export interface OutdatedEntry {
  readonly folding: number
  readonly id: string
}

/** Locks and returns rows with an entry of an earlier folding, in the order of an index: the newest first. */
export type ListOutdated = (
  tx: Db,
  after: OutdatedEntry | undefined,
  limit: number,
) => Promise<OutdatedEntry[]>

const outdated =
  (entries: AnyPgTable, rows: AnyPgTable, idColumn: 'post_id' | 'user_id' | 'message_id'): ListOutdated =>
  async (tx, after, limit) => {
    const id = sql.raw(`s.${idColumn}`)
    const later = after
      ? sql`and (s.folding, ${id}) < (${after.folding}::smallint, ${after.id}::uuid)`
      : sql``
    const found = (await tx.execute(sql`select s.folding, u.id
      from ${entries} as s join ${rows} as u on u.id = ${id} where s.folding < ${FOLDING} ${later}
      order by s.folding desc, ${id} desc limit ${limit} for update of u`)) as { rows: OutdatedEntry[] }
    return found.rows
  }

export const listOutdatedPosts: ListOutdated = outdated(postSearch, posts, 'post_id')
export const listOutdatedPeople: ListOutdated = outdated(personSearch, users, 'user_id')
/** A message that several people see is listed once for each of them. */
export const listOutdatedMessages: ListOutdated = outdated(messageSearch, messages, 'message_id')
