// Words people searched for of late: what many of them looked for is shown to all, and who they were is not known.
import { gte, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { momentOf, statement } from '#server/store/statement.ts'
import { searchedWords } from '#server/store/tables/search.ts'

interface Searched {
  readonly word: string
  readonly written: string
  readonly searcher: string
}

/** Each search waits for this. */
const remember = statement<Searched & { at: string }, never>(
  { word: 'text', written: 'text', searcher: 'text', at: 'timestamptz' },
  (place) => sql`insert into ${searchedWords} (word, written, searcher, searched_at)
    values (${place('word')}, ${place('written')}, ${place('searcher')}, ${place('at')}) on conflict do nothing`,
)

/** Records a search once for each searcher and word. */
export async function addSearchedWord(db: Db, it: Searched, now: number): Promise<void> {
  await remember(db, { ...it, at: momentOf(now) })
}

/** Words that so many have searched for since then, in their most usual spelling; the most wanted first. */
export async function listWanted(
  db: Db,
  asked: { since: number; atLeast: number; limit: number },
): Promise<{ word: string; written: string }[]> {
  const searchers = sql`count(*)`
  return db
    .select({
      word: searchedWords.word,
      written: sql<string>`mode() within group (order by ${searchedWords.written})`,
    })
    .from(searchedWords)
    .where(gte(searchedWords.searchedAt, new Date(asked.since)))
    .groupBy(searchedWords.word)
    .having(sql`${searchers} >= ${asked.atLeast}`)
    .orderBy(sql`${searchers} desc, ${searchedWords.word} collate "C"`)
    .limit(asked.limit)
}

export async function forgetSearchedWords(db: Db, before: number): Promise<void> {
  await db.delete(searchedWords).where(lt(searchedWords.searchedAt, new Date(before)))
}
