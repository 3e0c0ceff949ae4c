// Banks or branches found for the text of a field.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type DirectoryEntry, searchBanks, searchBranches } from '#contract/payouts/banks.ts'
import { queryFor } from '#src/domain/queries/query.ts'

/** Pause in typing before a request, ms. */
const PAUSE = 200
/** The server refuses longer texts. */
const MOST = 50

export interface Found {
  readonly entries: readonly DirectoryEntry[]
  readonly state: 'found' | 'loading' | 'failed'
}

/** A text once it has rested for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

/**
 * Entries for an earlier text are not given: Enter would choose the first of them.
 * @param bankCode the bank whose branches are searched; null for banks. '' finds nothing.
 */
export function useFound(typed: string, bankCode: string | null): Found {
  const current = Array.from(typed.trim()).slice(0, MOST).join('')
  const q = useRested(current)
  const banks = useQuery({
    ...queryFor(searchBanks, { query: { q } }),
    enabled: bankCode === null,
    staleTime: 60_000,
  })
  const branches = useQuery({
    ...queryFor(searchBranches, { params: { bank_code: bankCode ?? '' }, query: { q } }),
    enabled: bankCode !== null && bankCode !== '',
    staleTime: 60_000,
  })
  if (bankCode === '') return { entries: [], state: 'found' }
  if (q !== current) return { entries: [], state: 'loading' }
  const { isPending, isError } = bankCode === null ? banks : branches
  const entries = (bankCode === null ? banks.data?.banks : branches.data?.branches) ?? []
  return { entries, state: isError ? 'failed' : isPending ? 'loading' : 'found' }
}
