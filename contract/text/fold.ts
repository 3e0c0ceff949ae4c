// Folding for search: one text for several spellings (width, case, kana, forms of kanji).
import { commonKanji } from './kanji-forms.ts'

/** Version of folding and of hashtags: entries of the search index that were made by an earlier one are made again. */
export const FOLDING = 2

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

/** ヴ and the small vowel behind it, which are written as バ to ボ as well. */
const vu = /ヴ([ァィェォュ]?)/g
const vuSounds: Readonly<Record<string, string>> = { ァ: 'バ', ィ: 'ビ', ェ: 'ベ', ォ: 'ボ', ュ: 'ビュ' }

const toKatakana = (it: string) => String.fromCharCode(it.charCodeAt(0) + 0x60)

/**
 * The text as search compares it: NFKC (widths, half-width kana, voiced marks), lower case, hiragana as katakana, バ for ヴァ, the common
 * forms of kanji, one long vowel mark for any run of them, one space between words. What is not seen (joiners, variation selectors, skin
 * tones) goes. A piece of a text, cut between characters (of which ヴァ is one), folds to a piece of the folded text; folding twice changes
 * nothing.
 */
export const fold = (text: string): string => foldUntrimmed(text).trim()

const foldUntrimmed = (text: string): string =>
  commonKanji(foldWidths(text)).replace(vu, (_, vowel: string) => vuSounds[vowel] ?? 'ブ')

function foldWidths(text: string): string {
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
export const MAX_TERMS = 10

/** The words of a search, folded, each once. */
export function termsOf(query: string): string[] {
  const terms = fold(query).split(' ')
  return [...new Set(terms)].filter((it) => it !== '').slice(0, MAX_TERMS)
}

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
    const joined = joinedVu(text, pieces, { segment, end })
    if (joined) {
      before = joined.folded
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

/** Joins a small vowel to the ヴ before it, also over what is not seen. @returns the piece of both; undefined for anything else */
function joinedVu(
  text: string,
  pieces: FoldedPiece[],
  { segment, end }: { readonly segment: string; readonly end: number },
): FoldedPiece | undefined {
  const vowel = foldWidths(segment)
  if (!/^[ァィェォュ]/.test(vowel)) return undefined
  const place = pieces.findLastIndex((it) => it.folded !== '')
  const start = pieces[place]?.start
  if (start === undefined || foldWidths(text.slice(start, end)) !== `ヴ${vowel}`) return undefined
  const joined = { folded: foldUntrimmed(text.slice(start, end)), start, end }
  pieces.splice(place, pieces.length, joined)
  return joined
}
