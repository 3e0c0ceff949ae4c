// Which word of a list a text contains. Pure.
import { fold, foldedPieces } from '#contract/text/fold.ts'

export interface ListedWord {
  readonly id: string
  readonly word: string
  /** The word as the version that stored it folded it. */
  readonly folded: string
}

type Script = 'hiragana' | 'katakana' | 'other'

const scriptOf = (it: string): Script | undefined => {
  if (/[\p{Script=Hiragana}]/u.test(it)) return 'hiragana'
  if (/[\p{Script=Katakana}ー]/u.test(it.normalize('NFKC'))) return 'katakana'
  return /[\p{L}\p{N}]/u.test(it) && !/\p{Script=Han}/u.test(it) ? 'other' : undefined
}

/** Longest word of kana alone that must stand by itself: longer ones are rarely a part of another word. */
const SHORT_KANA = 3
const kanaAlone = /^[\p{Script=Katakana}ー]+$/u
const lettersAlone = /^[\p{L}\p{N}]+$/u
const hasHan = /\p{Script=Han}/u

/** Whether a word counts only where no letter of the same script touches it: スキ in スキル, ass in class. */
const standsAlone = (folded: string): boolean => {
  if (hasHan.test(folded)) return false
  if (kanaAlone.test(folded)) return folded.length <= SHORT_KANA
  return lettersAlone.test(folded)
}

/**
 * The first word of the list that a text contains, compared as search does: width, case, kana and unseen signs do not matter. A word of
 * kanji counts everywhere, also inside a longer one. One of letters or digits, and a short one of kana, counts only where the characters beside it
 * are of another script.
 */
export function wordIn(text: string, words: readonly ListedWord[]): ListedWord | undefined {
  const folded = fold(text)
  let pieces: Pieces | undefined
  return words.find((it) => {
    const word = fold(it.folded)
    if (!folded.includes(word)) return false
    if (!standsAlone(word)) return true
    pieces ??= piecesOf(text)
    return isAlone(pieces, text, word)
  })
}

interface Pieces {
  readonly joined: string
  /** The place in the text of each unit of `joined`. */
  readonly at: readonly { readonly start: number; readonly end: number }[]
}

function piecesOf(text: string): Pieces {
  const pieces = foldedPieces(text)
  return {
    joined: pieces.map((it) => it.folded).join(''),
    at: pieces.flatMap(({ folded, start, end }) =>
      Array.from({ length: folded.length }, () => ({ start, end })),
    ),
  }
}

/** Whether one occurrence of the word has no neighbour of its own script. */
function isAlone({ joined, at }: Pieces, text: string, word: string): boolean {
  let from = joined.indexOf(word)
  // A word that only the folded whole has counts: ゛ after an unseen sign joins the kana before it.
  if (from === -1) return true
  for (; from !== -1; from = joined.indexOf(word, from + 1)) {
    const [first, last] = [at[from], at[from + word.length - 1]]
    if (!first || !last) continue
    const before = lastSeen(text.slice(Math.max(0, first.start - 8), first.start))
    const after = firstSeen(text.slice(last.end, last.end + 8))
    if (
      !touches(before, text.slice(first.start, first.end)) &&
      !touches(after, text.slice(last.start, last.end))
    )
      return true
  }
  return false
}

const seenIn = (text: string): string[] => Array.from(text).filter((it) => !/[\p{Cf}\p{M}]/u.test(it))
const lastSeen = (text: string): string => seenIn(text).at(-1) ?? ''
const firstSeen = (text: string): string => seenIn(text)[0] ?? ''

const touches = (neighbour: string, edge: string): boolean => {
  const script = scriptOf(neighbour)
  return script !== undefined && script === scriptOf(seenIn(edge).at(-1) ?? '')
}
