// Trending words: counted when a search finds an open post, and stored without identity, for a short time.
import { fold } from '#contract/text/fold.ts'
import type { PostView } from '#contract/posts/posts.ts'
import type { Deps } from '#server/deps.ts'
import { countable } from '#server/rules/searched-words.ts'
import {
  addSearchedWord,
  removeSearchedWordsBefore,
  listPopularWords,
} from '#server/store/search/searched-words.ts'

/** Number of different people from which a word counts as public; fewer could identify a person. */
export const MANY = 5
/** How long a search counts and is known at all, ms: shorter than an account takes to be deleted. */
export const WORDS_LIFE = 3 * 24 * 3600_000
/** How long an answer is taken for true, ms. */
const FRESH = 60_000
const KNOWN = 500

/** Counts a search, only if it found an open post: so words of closed posts are never shown to others. */
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
  /** Words that begin with the typed text, or contain it as a separate word. */
  beginning(typed: string): Promise<readonly Wanted[]>
}

/** Requested with every typed letter: read from the database once a minute. */
export function createTrending({ db, clock }: Deps): Trending {
  let known: { at: number; words: Promise<readonly Wanted[]> } | undefined
  const words = () => {
    const now = clock()
    if (!known || now - known.at >= FRESH || now < known.at) {
      const read = listPopularWords(db, { since: now - WORDS_LIFE, atLeast: MANY, limit: KNOWN })
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
  await removeSearchedWordsBefore(db, clock() - WORDS_LIFE)
}
