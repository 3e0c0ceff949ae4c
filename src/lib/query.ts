// Queries from endpoints: nobody writes a key, and invalidation names the endpoint.
import {
  infiniteQueryOptions,
  QueryCache,
  QueryClient,
  type QueryFilters,
  queryOptions,
} from '@tanstack/react-query'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { oneKey, pagesKey } from '#contract/reading-keys.ts'
import { askKeeping } from './answers.ts'
import { call, type CallArgs, isMissing } from './api.ts'
import { askSeeing } from './sight.ts'

/**
 * Options of the query that reads this endpoint with these arguments. A read is never broken off because its page is
 * left: the page that is opened next may wait for the same one.
 */
export function queryFor<E extends Endpoint>(endpoint: E, args: CallArgs<E>) {
  return queryOptions({
    queryKey: oneKey(endpoint, args),
    queryFn: (context) => askKeeping(endpoint, context, () => askSeeing(() => call(endpoint, args))),
    meta: { kept: endpoint.kept },
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
    queryKey: pagesKey(endpoint, args),
    queryFn: (context) => {
      const loose = args as { query?: object }
      const query = { ...loose.query, ...(context.pageParam !== null && { cursor: context.pageParam }) }
      const ask = () => call<E>(endpoint, { ...loose, query } as CallArgs<E>)
      return askKeeping(endpoint, context, () => askSeeing(ask))
    },
    meta: { kept: endpoint.kept },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as Paged).next,
  })
}

/** Everything read from this endpoint, for invalidation. */
export const readingsOf = (endpoint: Endpoint) => ({ queryKey: [endpoint.name] })

/**
 * Changes what was read, for an act of one's own. It was read when it was read: neither its age nor that it could not
 * be read again is forgotten over it.
 */
export function changeData<T>(client: QueryClient, filters: QueryFilters, change: (data: T) => T): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    if (query.state.data === undefined) continue
    const data = change(query.state.data as T)
    if (data !== query.state.data) query.setState({ data })
  }
}

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
        // What could not be read at all is asked for again when the network is back; what stands, stands.
        refetchOnReconnect: ({ state }) => state.data === undefined,
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
