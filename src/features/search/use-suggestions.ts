// Suggestions for the text in the field: own searches with this beginning, frequent searches, people.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fold } from '#contract/text/fold.ts'
import { MAX_QUERY } from '#contract/limits.ts'
import type { PersonView } from '#contract/people/people.ts'
import { suggestSearch } from '#contract/search/search.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export type Suggestion =
  | { readonly is: 'word'; readonly word: string; readonly before: boolean }
  | { readonly is: 'person'; readonly person: PersonView }

/** Pause in typing before a request, ms. */
const PAUSE = 200
const OWN = 3

/** A text once it has rested for a moment. */
function useRested(typed: string): string {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}

/**
 * @param typed the field's text, without an unfinished composition
 */
export function useSuggestions(typed: string, own: readonly string[]): Suggestion[] {
  const q = useRested(typed.trim())
  const isEnabled = q !== '' && Array.from(q).length <= MAX_QUERY
  const { data } = useQuery({
    ...queryFor(suggestSearch, { query: { q: q || '-' } }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const folded = fold(typed)
  if (folded === '') return []
  const matching = own.filter((it) => fold(it).startsWith(folded)).slice(0, OWN)
  const known = new Set(matching.map(fold))
  const others = (isEnabled ? (data?.words ?? []) : []).filter((it) => !known.has(fold(it)))
  return [
    ...matching.map((word): Suggestion => ({ is: 'word', word, before: true })),
    ...others.map((word): Suggestion => ({ is: 'word', word, before: false })),
    ...(isEnabled ? (data?.people ?? []) : []).map((person): Suggestion => ({ is: 'person', person })),
  ]
}
