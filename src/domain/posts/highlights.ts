// Finds the words of a search in a text, in every spelling.
import { foldedPieces } from '#contract/text/fold.ts'

export interface MarkedPiece {
  readonly text: string
  readonly marked: boolean
}

/**
 * Cuts a text into marked and unmarked pieces.
 * @param terms folded, as `termsOf` gives them
 */
export function markedPieces(text: string, terms: readonly string[]): MarkedPiece[] {
  const pieces = foldedPieces(text)
  const whole = pieces.map((it) => it.folded).join('')
  const marks = new Set<number>()
  for (const term of terms.filter((it) => it !== '')) {
    for (let at = whole.indexOf(term); at !== -1; at = whole.indexOf(term, at + 1)) {
      for (let i = at; i < at + term.length; i++) marks.add(i)
    }
  }
  const found: MarkedPiece[] = []
  let at = 0
  for (const { folded, start, end } of pieces) {
    const last = found.at(-1)
    // A character that folds to nothing is marked like the one before it.
    const marked = folded === '' ? (last?.marked ?? false) : marks.has(at)
    at += folded.length
    const piece = text.slice(start, end)
    if (last?.marked === marked) found[found.length - 1] = { text: last.text + piece, marked }
    else found.push({ text: piece, marked })
  }
  return found
}
