// How long a text is, as people count it.

const segmenter = new Intl.Segmenter('ja')

/** Grapheme clusters: a family of emoji is one, as the server counts too. */
export function graphemesIn(text: string): number {
  let count = 0
  for (const it of segmenter.segment(text)) count += it.segment === '' ? 0 : 1
  return count
}
