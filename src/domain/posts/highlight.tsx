// Marked: a text with the searched words marked, inside a search.
import { createContext, use } from 'react'
import { markedPieces } from './highlights.ts'

/** The folded words of the shown search; none outside a search. */
export const SearchedFor = createContext<readonly string[]>([])

export function Marked({ text }: { text: string }) {
  const terms = use(SearchedFor)
  if (terms.length === 0) return text
  return markedPieces(text, terms).map((it, i) =>
    it.marked ? (
      // oxlint-disable-next-line react/no-array-index-key -- a text's pieces have no other name, and no state
      <mark key={i} className="rounded-[3px] bg-care/35 text-inherit">
        {it.text}
      </mark>
    ) : (
      it.text
    ),
  )
}
