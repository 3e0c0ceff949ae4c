// Recently searched words, without the searchers' identities; words of many searchers become suggestions.
import { gte, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { momentOf, statement } from '#server/store/statement.ts'
import { searchedWords } from '#server/store/tables/search.ts'

interface Search {
  readonly word: string
  readonly written: string
  readonly searcher: string
}

/** Prepared, since each search waits for it. */
const insertSearch = statement<Search & { at: string }, never>(
  { word: 'text', written: 'text', searcher: 'text', at: 'timestamptz' },
  (param) => sql`insert into ${searchedWords} (word, written, searcher, searched_at)
    values (${param('word')}, ${param('written')}, ${param('searcher')}, ${param('at')}) on conflict do nothing`,
)

/** Records a search once for each searcher and word. */
export async function addSearchedWord(db: Db, it: Search, now: number): Promise<void> {
  await insertSearch(db, { ...it, at: momentOf(now) })
}

/** Words with at least so many searchers since a moment, in their most frequent spelling, most searchers first. */
export async function listPopularWords(
  db: Db,
  range: { since: number; atLeast: number; limit: number },
): Promise<{ word: string; written: string }[]> {
  const searchers = sql`count(*)`
  return db
    .select({
      word: searchedWords.word,
      written: sql<string>`mode() within group (order by ${searchedWords.written})`,
    })
    .from(searchedWords)
    .where(gte(searchedWords.searchedAt, new Date(range.since)))
    .groupBy(searchedWords.word)
    .having(sql`${searchers} >= ${range.atLeast}`)
    .orderBy(sql`${searchers} desc, ${searchedWords.word} collate "C"`)
    .limit(range.limit)
}

export async function removeSearchedWordsBefore(db: Db, before: number): Promise<void> {
  await db.delete(searchedWords).where(lt(searchedWords.searchedAt, new Date(before)))
}
