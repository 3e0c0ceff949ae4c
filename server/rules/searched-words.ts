// Which searches may be shown to others once many have made them.
import { fold, streamSafe, termsOf } from '#contract/text/fold.ts'

const MIN = 2
const MAX = 30

/** Addresses of any kind, and numbers as long as those of telephones, cards and people's birthdays. */
const telling = [/@/, /:\/\//, /(^|\s)www\./, /[\p{L}\d]\.\p{L}{2,}/u, /\d([-ー.() ]*\d){5}/]

export interface SearchedWord {
  readonly word: string
  readonly written: string
}

/**
 * A search as it is counted, or undefined for one that never is: very short, long, or similar to an address or a
 * personal number.
 */
export function countable(query: string): SearchedWord | undefined {
  const word = termsOf(query).join(' ')
  const length = Array.from(word).length
  if (length < MIN || length > MAX) return undefined
  if (telling.some((it) => it.test(fold(query)))) return undefined
  return { word, written: streamSafe(query).normalize('NFKC').replace(/\s+/g, ' ').trim() }
}
