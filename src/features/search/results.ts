// What a search has found, page by page.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { searchPeople, searchPosts } from '#contract/search/search.ts'
import { pagesFor } from '#src/domain/queries/query.ts'
import type { Filters } from './filters.ts'

/** It stays as it was found while one looks at a result and comes back. */
const FRESH = 5 * 60_000

export const foundPostsQuery = (q: string, filters: Filters) =>
  infiniteQueryOptions({ ...pagesFor(searchPosts, { query: { q, ...filters } }), staleTime: FRESH })

export const foundPeopleQuery = (q: string) =>
  infiniteQueryOptions({ ...pagesFor(searchPeople, { query: { q } }), staleTime: FRESH })
