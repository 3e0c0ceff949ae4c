// Index entries and search terms: pairs of neighbouring characters, and whole hashtags.
import { fold, MAX_TERMS } from '#contract/text/fold.ts'
import { tokensOf } from '#contract/text/mentions.ts'

/** Most lexemes per text; the longest ordinary post has a fifth of them. */
const MAX_GRAMS = 50_000

/** The lexeme of a hashtag. Its space distinguishes it from every pair. */
const tagLexeme = (tag: string) => `${tag} `

/** The hashtags that a text shows as links, folded, so that other spellings of one are the same. */
const tagsOf = (text: string): string[] =>
  // Most texts have none.
  /[#＃]/.test(text) ? tokensOf(text).flatMap((it) => (it.is === 'hashtag' ? [fold(`#${it.word}`)] : [])) : []

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
  for (const tag of tagsOf(text)) grams.add(tagLexeme(tag))
  for (const word of folded.split(' ')) {
    for (const pair of pairsOf(word)) grams.add(pair)
    const last = Array.from(word).at(-1)
    if (last !== undefined) grams.add(last)
  }
  return { folded, grams: [...grams].slice(0, MAX_GRAMS) }
}

const quoted = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** A word of a search. */
export interface SearchTerm {
  readonly folded: string
  /** Whether it is a hashtag and nothing else, which is matched as a whole, not as the beginning of a longer one. */
  readonly isTag: boolean
}

/** The words of a search, each once, ten at most. What is a hashtag is decided before folding, as in the texts. */
export function searchTermsOf(query: string): SearchTerm[] {
  const terms = new Map<string, SearchTerm>()
  for (const word of query.split(/\s+/u)) {
    const [token, ...others] = tokensOf(word)
    const isTag = token?.is === 'hashtag' && others.length === 0
    for (const folded of isTag ? [fold(word)] : fold(word).split(' '))
      if (folded !== '' && !terms.has(folded)) terms.set(folded, { folded, isTag })
  }
  return [...terms.values()].slice(0, MAX_TERMS)
}

function lexemesOf({ folded, isTag }: SearchTerm): string[] {
  if (isTag) return [quoted(tagLexeme(folded))]
  const pairs = pairsOf(folded)
  return pairs.length === 0 ? [`${quoted(folded)}:*`] : [...new Set(pairs)].map(quoted)
}

export interface SearchTerms {
  /** In the syntax of PostgreSQL's tsquery. */
  readonly tsquery: string
  /** Terms that are also compared with the folded text, since their pairs may occur separately. */
  readonly recheck: readonly string[]
}

/** The query for the index; every term must match. Undefined for an empty search. */
export function searchFor(terms: readonly SearchTerm[]): SearchTerms | undefined {
  if (terms.length === 0) return undefined
  return {
    tsquery: terms.flatMap(lexemesOf).join(' & '),
    recheck: terms.filter((it) => !it.isTag && Array.from(it.folded).length > 2).map((it) => it.folded),
  }
}

/** Whether a text contains all terms, as the index decides it. */
export function containsAll(text: string, terms: readonly SearchTerm[]): boolean {
  const folded = fold(text)
  const tags = new Set(tagsOf(text))
  return terms.every((it) => (it.isTag ? tags.has(it.folded) : folded.includes(it.folded)))
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
