// Words many people look for: counted when a search finds something open to all, known to nobody for long.
import { fold } from '#contract/text/fold.ts'
import type { PostView } from '#contract/posts/posts.ts'
import type { Deps } from '#server/deps.ts'
import { countable } from '#server/rules/searched-words.ts'
import { addSearchedWord, forgetSearchedWords, listWanted } from '#server/store/search/searched-words.ts'

/** So many different people make a word everybody's; fewer are somebody's. */
export const MANY = 5
/** How long a search counts and is known at all, ms: shorter than an account takes to be deleted. */
export const WORDS_LIFE = 3 * 24 * 3600_000
/** How long an answer is taken for true, ms. */
const FRESH = 60_000
const KNOWN = 500

/**
 * Counts a search. Only one that found a post everybody may read: so no word that stands in closed posts alone ever
 * becomes one that is shown to others.
 */
export async function countSearch(
  { db, secrets, clock }: Deps,
  searcherId: string,
  query: string,
  found: readonly PostView[],
): Promise<void> {
  const it = countable(query)
  if (!it || !found.some((post) => post.type === 1 && !post.is_age_limited)) return
  const searcher = secrets.mac('search', `${it.word}\n${searcherId}`)
  await addSearchedWord(db, { ...it, searcher }, clock())
}

export interface Wanted {
  readonly word: string
  readonly written: string
}

export interface Trending {
  /** Words many look for, the most wanted first. */
  words(): Promise<readonly Wanted[]>
  /** Those that begin with what was typed, or hold it as a word of their own. */
  beginning(typed: string): Promise<readonly Wanted[]>
}

/** Asked with every letter that is typed: read from the database once a minute. */
export function watchTrending({ db, clock }: Deps): Trending {
  let known: { at: number; words: Promise<readonly Wanted[]> } | undefined
  const words = () => {
    const now = clock()
    if (!known || now - known.at >= FRESH || now < known.at) {
      const read = listWanted(db, { since: now - WORDS_LIFE, atLeast: MANY, limit: KNOWN })
      known = { at: now, words: read }
      read.catch(() => (known = undefined))
    }
    return known.words
  }
  return {
    words,
    async beginning(typed) {
      const folded = fold(typed)
      if (folded === '') return []
      const starts = (it: Wanted) => it.word.startsWith(folded) || it.word.startsWith(`#${folded}`)
      return (await words()).filter((it) => starts(it) || it.word.includes(` ${folded}`))
    },
  }
}

export async function forgetSearches({ db, clock }: Deps): Promise<void> {
  await forgetSearchedWords(db, clock() - WORDS_LIFE)
}
