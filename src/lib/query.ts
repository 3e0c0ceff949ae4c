// Queries from endpoints: nobody writes a key, and invalidation names the endpoint.
import { infiniteQueryOptions, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { call, type CallArgs, isMissing } from './api.ts'

/**
 * Options of the query that reads this endpoint with these arguments. A read is never broken off because its page is
 * left: the page that is opened next may wait for the same one.
 */
export function queryFor<E extends Endpoint>(endpoint: E, args: CallArgs<E>) {
  return queryOptions({
    queryKey: [endpoint.name, 'one', args],
    queryFn: () => call(endpoint, args),
  })
}

interface Paged {
  next: string | null
}

/** Options of the infinite query over an endpoint that pages by `cursor` and `next`. */
export function pagesFor<E extends Endpoint>(
  endpoint: ReplyOf<E> extends Paged ? E : never,
  args: CallArgs<E>,
) {
  return infiniteQueryOptions({
    queryKey: [endpoint.name, 'pages', args],
    queryFn: ({ pageParam }) => {
      const loose = args as { query?: object }
      const query = { ...loose.query, ...(pageParam !== null && { cursor: pageParam }) }
      return call<E>(endpoint, { ...loose, query } as CallArgs<E>)
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as Paged).next,
  })
}

/** Everything read from this endpoint, for invalidation. */
export const readingsOf = (endpoint: Endpoint) => ({ queryKey: [endpoint.name] })

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // What was there and is not any more, for this viewer at least, is no longer shown: a block, a deletion.
      onError(error, { queryKey, state }) {
        if (state.data !== undefined && isMissing(error)) void client.resetQueries({ queryKey, exact: true })
      },
    }),
    defaultOptions: {
      queries: {
        // The call itself already tries a read twice.
        retry: false,
        staleTime: 30_000,
        gcTime: 30 * 60_000,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
