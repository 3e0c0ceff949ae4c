// Blocked words of people and of the operator.
import { and, count, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { holds } from '#server/store/tables/moderation.ts'
import { users } from '#server/store/tables/people.ts'
import { blockedWords } from '#server/store/tables/settings.ts'

export type WordRow = typeof blockedWords.$inferSelect

/** For a where clause: the words of a person, or with null those of the operator. */
const of = (ownerId: string | null): SQL | undefined =>
  ownerId === null ? isNull(blockedWords.ownerId) : eq(blockedWords.ownerId, ownerId)

/** The words of a list, the latest first. */
export async function listWords(db: Db, ownerId: string | null): Promise<WordRow[]> {
  return db
    .select()
    .from(blockedWords)
    .where(of(ownerId))
    .orderBy(desc(blockedWords.createdAt), desc(blockedWords.id))
}

export interface CountedWord extends WordRow {
  readonly addedByName: string | null
  /** How often it has held something. */
  readonly hits: number
}

/** The words of the operator with their numbers, the latest first. */
export async function listOperatorWordRows(db: Db): Promise<CountedWord[]> {
  const hits = db
    .select({ wordId: holds.wordId, hits: count().as('hits') })
    .from(holds)
    .groupBy(holds.wordId)
    .as('hit')
  const rows = await db
    .select({ row: blockedWords, name: users.name, hits: hits.hits })
    .from(blockedWords)
    .leftJoin(users, eq(users.id, blockedWords.addedBy))
    .leftJoin(hits, eq(hits.wordId, blockedWords.id))
    .where(of(null))
    .orderBy(desc(blockedWords.createdAt), desc(blockedWords.id))
  return rows.map(({ row, name, hits: found }) => ({ ...row, addedByName: name, hits: Number(found ?? 0) }))
}

/** Locks a list until the transaction ends. @returns how many words it has */
export async function lockWords(tx: Db, ownerId: string | null): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`blocked_words ${ownerId ?? ''}`}))`)
  return tx.$count(blockedWords, of(ownerId))
}

/** @returns false when the list has the word already, maybe in another spelling */
export async function addWord(tx: Db, row: WordRow): Promise<boolean> {
  const added = await tx
    .insert(blockedWords)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: blockedWords.id })
  return added.length === 1
}

/** @returns false when the list has no such word */
export async function dropWord(tx: Db, ownerId: string | null, id: string): Promise<boolean> {
  const removed = await tx
    .delete(blockedWords)
    .where(and(eq(blockedWords.id, id), of(ownerId)))
    .returning({ id: blockedWords.id })
  return removed.length > 0
}
