// Trending words: counted when a search finds an open post, stored without identity.
import { fold } from '#contract/text/fold.ts'
import type { PostView } from '#contract/posts/posts.ts'
import type { Deps } from '#server/deps.ts'
import { countable } from '#server/rules/searched-words.ts'
import {
  addSearchedWord,
  removeSearchedWordsBefore,
  listPopularWords,
} from '#server/store/search/searched-words.ts'

/** Number of different searchers from which a word is public; fewer could identify a person. */
export const MIN_SEARCHERS = 5
/** How long a search counts and is stored, ms: shorter than the deletion of an account takes. */
export const SEARCH_LIFETIME_MS = 3 * 24 * 3600_000
/** How long words are cached, ms. */
const CACHE_MS = 60_000
const MAX_WORDS = 500

/** Counts a search only if it found an open post, so that words of closed posts are never shown to others. */
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

export interface TrendingWord {
  readonly word: string
  readonly written: string
}

export interface Trending {
  /** Trending words, the most searched first. */
  words(): Promise<readonly TrendingWord[]>
  /** Words that begin with the typed text, or contain it as a separate word. */
  startingWith(typed: string): Promise<readonly TrendingWord[]>
}

/** Words are requested with every typed character, so they are read from the database at most once a minute. */
export function createTrending({ reads, clock }: Deps): Trending {
  let cached: { at: number; words: Promise<readonly TrendingWord[]> } | undefined
  const words = () => {
    const now = clock()
    if (!cached || now - cached.at >= CACHE_MS || now < cached.at) {
      const range = { since: now - SEARCH_LIFETIME_MS, atLeast: MIN_SEARCHERS, limit: MAX_WORDS }
      const read = reads.recent((either) => listPopularWords(either, range))
      cached = { at: now, words: read }
      read.catch(() => (cached = undefined))
    }
    return cached.words
  }
  return {
    words,
    async startingWith(typed) {
      const folded = fold(typed)
      if (folded === '') return []
      const starts = (it: TrendingWord) => it.word.startsWith(folded) || it.word.startsWith(`#${folded}`)
      return (await words()).filter((it) => starts(it) || it.word.includes(` ${folded}`))
    },
  }
}

export async function removeOldSearches({ db, clock }: Deps): Promise<void> {
  await removeSearchedWordsBefore(db, clock() - SEARCH_LIFETIME_MS)
}
