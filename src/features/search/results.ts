// The queries of search results.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { searchPeople, searchPosts } from '#contract/search/search.ts'
import { pagesFor } from '#src/domain/queries/query.ts'
import type { Filters } from './filters.ts'

/** Time in which results are not read again, for returns from a result, ms. */
const FRESH = 5 * 60_000

export const foundPostsQuery = (q: string, filters: Filters) =>
  infiniteQueryOptions({ ...pagesFor(searchPosts, { query: { q, ...filters } }), staleTime: FRESH })

export const foundPeopleQuery = (q: string) =>
  infiniteQueryOptions({ ...pagesFor(searchPeople, { query: { q } }), staleTime: FRESH })
