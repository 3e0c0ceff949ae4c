// Folding for search: one text for several spellings (width, case, kana).

const unseen = /[\p{Cf}\p{Variation_Selector}\p{Emoji_Modifier}]/gu
const hiragana = /[ぁ-ゖゝゞ]/g
/** Signs people use as a long vowel mark, or that look like it: the dashes of several keyboards and the wave. */
const longMarks = /[~〜‐-―−ー]+/g
/** Line ends, controls and halves of a surrogate pair end a word as a space does. */
const gaps = /[\s\p{Cc}\p{Cs}]+/gu

const marks = /[\p{M}゛゜ﾞﾟ]+/gu
/** Longest run of combining marks that stays (as in Unicode's stream-safe text); sorting more is quadratic in NFKC. */
const MAX_MARKS = 30

const shortRun = (run: string): string =>
  run.length <= MAX_MARKS
    ? run
    : Array.from(run.slice(0, 2 * MAX_MARKS))
        .slice(0, MAX_MARKS)
        .join('')

/** The text with at most 30 combining marks in a row, so that composing it takes linear time. */
export const streamSafe = (text: string): string => text.replace(marks, shortRun)

const toKatakana = (it: string) => String.fromCharCode(it.charCodeAt(0) + 0x60)

/**
 * The text as search compares it: NFKC (widths, half-width kana, voiced marks), lower case, hiragana as katakana, one
 * long vowel mark for any run of them, one space between words. What is not seen (joiners, variation selectors, skin
 * tones) goes. A piece of a text, cut between characters, folds to a piece of the folded text; folding twice changes nothing.
 */
export const fold = (text: string): string => foldUntrimmed(text).trim()

function foldUntrimmed(text: string): string {
  return streamSafe(text)
    .replaceAll('゛', '\u3099')
    .replaceAll('゜', '\u309a')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(unseen, '')
    .replace(hiragana, toKatakana)
    .normalize('NFKC')
    .replace(longMarks, 'ー')
    .replace(gaps, ' ')
}

/** Most words of one search that count. */
const MAX_TERMS = 10

/** The words of a search, folded, each once. */
export function termsOf(query: string): string[] {
  const terms = fold(query).split(' ')
  return [...new Set(terms)].filter((it) => it !== '').slice(0, MAX_TERMS)
}

/** A hashtag, folded: matched as a whole, not as the beginning of a longer one. */
export const hashtag = /#[\p{L}\p{N}\p{M}_]+/gu

/** Whether a folded term is a hashtag and nothing else. */
export const isHashtag = (term: string): boolean => /^#[\p{L}\p{N}\p{M}_]+$/u.test(term)

/** A piece of a folded text, and which part of the text it was made of (UTF-16 units). */
export interface FoldedPiece {
  readonly folded: string
  readonly start: number
  readonly end: number
}

// Made when it is needed: to make it reads the rules of every language there is.
let clusters: Intl.Segmenter | undefined

/** Folds character by character, so that a place in the folded text leads back to the text. Each space stays. */
export function foldedPieces(text: string): FoldedPiece[] {
  const pieces: FoldedPiece[] = []
  let before = ''
  clusters ??= new Intl.Segmenter('ja')
  for (const { segment, index } of clusters.segment(text)) {
    const end = index + segment.length
    const last = pieces.at(-1)
    // A separate voiced mark belongs to the character before it.
    if (last && /^[゛゜]/.test(segment)) {
      // Only the first mark changes the character; to fold the whole run for each would be quadratic in its length.
      const voiced = /[゛゜]/.test(text.charAt(index - 1))
      before = voiced ? last.folded + foldUntrimmed(segment) : foldUntrimmed(text.slice(last.start, end))
      pieces[pieces.length - 1] = { ...last, folded: before, end }
      continue
    }
    const folded = foldUntrimmed(segment)
    const again = folded === 'ー' && before.endsWith('ー')
    if (again && last) pieces[pieces.length - 1] = { ...last, end }
    else pieces.push({ folded, start: index, end })
    if (folded !== '') before = folded
  }
  return pieces
}
