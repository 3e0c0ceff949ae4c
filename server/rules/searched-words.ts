// Decides which searches may be suggested to others.
import { fold, streamSafe, termsOf } from '#contract/text/fold.ts'

const MIN = 2
const MAX = 30

/** Patterns of addresses, and of numbers such as telephone numbers, cards and birthdays. */
const personal = [/@/, /:\/\//, /(^|\s)www\./, /[\p{L}\d]\.\p{L}{2,}/u, /\d([-ー.() ]*\d){5}/]

export interface SearchedWord {
  readonly word: string
  readonly written: string
}

/**
 * The search as it is counted; undefined for one that is not counted: very short, long, or like an address or a personal
 * number.
 */
export function countable(query: string): SearchedWord | undefined {
  const word = termsOf(query).join(' ')
  const length = Array.from(word).length
  if (length < MIN || length > MAX) return undefined
  if (personal.some((it) => it.test(fold(query)))) return undefined
  return { word, written: streamSafe(query).normalize('NFKC').replace(/\s+/g, ' ').trim() }
}
