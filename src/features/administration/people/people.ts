// Queries of people for staff.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { findPeople, readPerson } from '#contract/administration/people.ts'
import { listPersonContent, readPersonCases } from '#contract/moderation/person-cases.ts'
import { pagesFor, queryFor } from '#src/domain/queries/query.ts'

/** A search is an audit entry: it is repeated only on request. */
const once = { staleTime: 60_000, refetchOnWindowFocus: false } as const

export const foundQuery = (q: string) => ({ ...queryFor(findPeople, { query: { q } }), ...once })

export const personQuery = (userId: string) => ({
  ...queryFor(readPerson, { params: { user_id: userId } }),
  ...once,
})

export const personCasesQuery = (userId: string) => ({
  ...queryFor(readPersonCases, { params: { user_id: userId } }),
  ...once,
})

export const contentQuery = (userId: string, kind: 'post' | 'comment') =>
  infiniteQueryOptions({
    ...pagesFor(listPersonContent, { params: { user_id: userId }, query: { kind } }),
    ...once,
  })
