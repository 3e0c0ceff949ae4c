// Queries of people for staff.
import { findPeople, readPerson } from '#contract/administration/people.ts'
import { queryFor } from '#src/domain/queries/query.ts'

/** A search is an audit entry: it is repeated only on request. */
const once = { staleTime: 60_000, refetchOnWindowFocus: false } as const

export const foundQuery = (q: string) => ({ ...queryFor(findPeople, { query: { q } }), ...once })

export const personQuery = (userId: string) => ({
  ...queryFor(readPerson, { params: { user_id: userId } }),
  ...once,
})
