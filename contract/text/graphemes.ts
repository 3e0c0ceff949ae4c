// Counts the grapheme clusters of a text: its length as people count it.

// Created on first use: the constructor loads the segmentation rules of every language.
let segmenter: Intl.Segmenter | undefined

/** One cluster for each character in every language: such a text needs no segmenter. */
const PLAIN = /^[\n -~\u3001-\u3029\u3041-\u3096\u30A1-\u30FF\u4E00-\u9FFF\uFF01-\uFF5E]*$/

/**
 * Counts grapheme clusters: a family emoji is one.
 * @param most counting stops after this many clusters
 * @returns at most `most + 1`
 */
export function graphemesIn(text: string, most = Number.POSITIVE_INFINITY): number {
  if (PLAIN.test(text)) return Math.min(text.length, most + 1)
  segmenter ??= new Intl.Segmenter('ja')
  let count = 0
  for (const it of segmenter.segment(text)) {
    count += it.segment === '' ? 0 : 1
    if (count > most) break
  }
  return count
}
