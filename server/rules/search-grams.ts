// Index entries and search terms: pairs of neighbouring characters, and whole hashtags.
import { fold, hashtag, isHashtag } from '#contract/text/fold.ts'

/** Most lexemes per text; the longest ordinary post has a fifth of them. */
const MAX_GRAMS = 50_000

/** The lexeme of a hashtag. Its space distinguishes it from every pair. */
const tagLexeme = (tag: string) => `${tag} `

/** Pairs of a word's characters (whole code points). */
function pairsOf(word: string): string[] {
  const characters = Array.from(word)
  return characters.slice(1).map((it, i) => `${characters[i]}${it}`)
}

export interface Searchable {
  readonly folded: string
  /**
   * Distinct lexemes. Every character of the text begins one of them, so that a single character can be searched.
   */
  readonly grams: readonly string[]
}

/** The index entries of a text. */
export function searchable(text: string): Searchable {
  const folded = fold(text)
  const grams = new Set<string>()
  for (const tag of folded.match(hashtag) ?? []) grams.add(tagLexeme(tag))
  for (const word of folded.split(' ')) {
    for (const pair of pairsOf(word)) grams.add(pair)
    const last = Array.from(word).at(-1)
    if (last !== undefined) grams.add(last)
  }
  return { folded, grams: [...grams].slice(0, MAX_GRAMS) }
}

const quoted = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

function lexemesOf(term: string): string[] {
  if (isHashtag(term)) return [quoted(tagLexeme(term))]
  const pairs = pairsOf(term)
  return pairs.length === 0 ? [`${quoted(term)}:*`] : [...new Set(pairs)].map(quoted)
}

export interface SearchTerms {
  /** In the syntax of PostgreSQL's tsquery. */
  readonly tsquery: string
  /** Terms that are also compared with the folded text, since their pairs may occur separately. */
  readonly recheck: readonly string[]
}

/** The query for the index; every term must match. Undefined for an empty search. */
export function searchFor(terms: readonly string[]): SearchTerms | undefined {
  if (terms.length === 0) return undefined
  return {
    tsquery: terms.flatMap(lexemesOf).join(' & '),
    recheck: terms.filter((it) => !isHashtag(it) && Array.from(it).length > 2),
  }
}

/** Whether a text contains all terms, as the index decides it. */
export function containsAll(text: string, terms: readonly string[]): boolean {
  const { folded } = searchable(text)
  const tags = new Set(folded.match(hashtag))
  return terms.every((it) => (isHashtag(it) ? tags.has(it) : folded.includes(it)))
}

export interface SearchablePerson extends Searchable {
  /** The name alone, folded. */
  readonly name: string
}

/** The index entries of a person: name, handle (with its @) and biography. */
export function searchablePerson(it: { name: string; handle: string | null; bio: string }): SearchablePerson {
  const handle = it.handle === null ? '' : `@${it.handle}`
  return { name: fold(it.name), ...searchable(`${it.name}\n${handle}\n${it.bio}`) }
}
