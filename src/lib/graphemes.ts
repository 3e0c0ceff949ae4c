// How long a text is, as people count it.

// Made when something is counted: to make it reads the rules of every language there is.
let segmenter: Intl.Segmenter | undefined

/** One cluster a character, whatever the language: the usual text, for which the rules need not be read. */
const PLAIN = /^[\n -~\u3001-\u3029\u3041-\u3096\u30A1-\u30FF\u4E00-\u9FFF\uFF01-\uFF5E]*$/

/** Grapheme clusters: a family of emoji is one, as the server counts too. */
export function graphemesIn(text: string): number {
  if (PLAIN.test(text)) return text.length
  segmenter ??= new Intl.Segmenter('ja')
  let count = 0
  for (const it of segmenter.segment(text)) count += it.segment === '' ? 0 : 1
  return count
}
