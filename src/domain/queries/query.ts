// Queries from endpoints: keys are derived, and invalidation names the endpoint.
import {
  infiniteQueryOptions,
  type Query,
  QueryCache,
  QueryClient,
  type QueryFilters,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import type { CallInput } from '#contract/client.ts'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { oneKey, pagesKey } from '#contract/search/reading-keys.ts'
import { changeState, isFetchingPage, queryEventOf } from '#src/lib/query-internals.ts'
import { readThroughCache } from '#src/domain/offline/cached-reads.ts'
import { call, isMissing } from '#src/domain/api/api.ts'
import { askSeeing } from '#src/domain/api/visibility.ts'

/**
 * Options of the query that reads this endpoint with these arguments. A read is never broken off because its page is
 * left: the page that is opened next may wait for the same one.
 */
export function queryFor<E extends Endpoint>(endpoint: E, args: CallInput<E>) {
  return queryOptions({
    queryKey: oneKey(endpoint, args),
    queryFn: (context) => readThroughCache(endpoint, context, () => askSeeing(() => call(endpoint, args))),
    meta: { kept: endpoint.kept },
  })
}

interface Paged {
  next: string | null
}

/** Options of the infinite query over an endpoint that pages by `cursor` and `next`. */
export function pagesFor<E extends Endpoint>(
  endpoint: ReplyOf<E> extends Paged ? E : never,
  args: CallInput<E>,
) {
  return infiniteQueryOptions({
    queryKey: pagesKey(endpoint, args),
    queryFn: (context) => {
      const loose = args as { query?: object }
      const query = { ...loose.query, ...(context.pageParam !== null && { cursor: context.pageParam }) }
      const ask = () => call<E>(endpoint, { ...loose, query } as CallInput<E>)
      return readThroughCache(endpoint, context, () => askSeeing(ask))
    },
    meta: { kept: endpoint.kept },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as Paged).next,
  })
}

/** Everything read from this endpoint, for invalidation. */
export const readingsOf = (endpoint: Endpoint) => ({ queryKey: [endpoint.name] })

interface ChangeOptions {
  /**
   * The result depends on the data before it, as with a count. A request that is running may or may not bring data with
   * this change: its query is read once more.
   */
  readonly relative?: boolean
}

/**
 * Changes cached data after a mutation of one's own. Its age and its last failure stay. Data of a request that is
 * running is changed when it arrives: it was sent before the mutation.
 */
export function changeData<T>(
  client: QueryClient,
  filters: QueryFilters,
  change: (data: T) => T,
  { relative = false }: ChangeOptions = {},
): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    changeOne(query, change)
    if (query.state.fetchStatus === 'idle') continue
    // A further page is appended to the list as it was; every other read replaces all data.
    if (isFetchingPage(query) || !relative) onceRead(client, query, () => changeOne(query, change))
    else
      onceRead(client, query, () => {
        if (change(query.state.data as T) !== query.state.data)
          void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
      })
  }
}

function changeOne<T>(query: Query, change: (data: T) => T): void {
  if (query.state.data === undefined) return
  const data = change(query.state.data as T)
  if (data !== query.state.data) changeState(query, { data })
}

/** Does something when the reading under way has brought something; nothing where it fails or another takes its place. */
function onceRead(client: QueryClient, query: Query, work: () => void): void {
  const stop = client.getQueryCache().subscribe((event) => {
    const it = event.query === query ? queryEventOf(event) : undefined
    if (it === undefined || it.is === 'changed') return
    stop()
    if (it.is === 'fetched') work()
  })
}

/** Puts something newer than what is being read in its place: a reading under way is broken off. */
export async function putNewer<T>(client: QueryClient, queryKey: QueryKey, data: Updater<T>): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true })
  client.setQueryData<T>(queryKey, data)
}
type Updater<T> = T | ((old: T | undefined) => T | undefined)

/** A list that is read page by page. */
export interface LongList<Read = unknown> {
  readonly isFetching: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchingPreviousPage: boolean
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<Read>
  fetchPreviousPage: (options: { cancelRefetch: boolean }) => Promise<Read>
}

/** Reads on in a list. What is being read of it by now comes first: a step on does not throw newer lines away. */
export async function readOn<Read>(list: LongList<Read>, back = false): Promise<Read> {
  const read = () =>
    back ? list.fetchPreviousPage({ cancelRefetch: false }) : list.fetchNextPage({ cancelRefetch: false })
  const isBusy = list.isFetching && !list.isFetchingNextPage && !list.isFetchingPreviousPage
  if (isBusy) await read()
  return read()
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
        // Queries without data are refetched when the network is back; others stay.
        refetchOnReconnect: ({ state }) => state.data === undefined,
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
