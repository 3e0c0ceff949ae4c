// Queries from endpoints: nobody writes a key, and invalidation names the endpoint.
import {
  infiniteQueryOptions,
  type Query,
  QueryCache,
  QueryClient,
  type QueryFilters,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { oneKey, pagesKey } from '#contract/search/reading-keys.ts'
import { readThroughCache } from '#src/domain/offline/cached-reads.ts'
import { call, type CallArgs, isMissing } from '#src/domain/api/api.ts'
import { askSeeing } from '#src/domain/api/visibility.ts'

/**
 * Options of the query that reads this endpoint with these arguments. A read is never broken off because its page is
 * left: the page that is opened next may wait for the same one.
 */
export function queryFor<E extends Endpoint>(endpoint: E, args: CallArgs<E>) {
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
  args: CallArgs<E>,
) {
  return infiniteQueryOptions({
    queryKey: pagesKey(endpoint, args),
    queryFn: (context) => {
      const loose = args as { query?: object }
      const query = { ...loose.query, ...(context.pageParam !== null && { cursor: context.pageParam }) }
      const ask = () => call<E>(endpoint, { ...loose, query } as CallArgs<E>)
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
  /** What comes of it depends on what it finds, as with a count: it is not done to what may have it already. */
  readonly relative?: boolean
}

/**
 * Changes what was read, for an act of one's own. It was read when it was read: neither its age nor that it could not
 * be read again is forgotten over it. What is being read meanwhile is changed when it is there: it was asked for before.
 */
export function changeData<T>(
  client: QueryClient,
  filters: QueryFilters,
  change: (data: T) => T,
  { relative = false }: ChangeOptions = {},
): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    changeOne(query, change)
    // A further page is put to the list as it was; everything else is read anew, and may have been changed by then.
    const isMore = query.state.fetchMeta?.fetchMore !== undefined
    if (query.state.fetchStatus !== 'idle' && (isMore || !relative))
      onceRead(client, query, () => changeOne(query, change))
  }
}

function changeOne<T>(query: Query, change: (data: T) => T): void {
  if (query.state.data === undefined) return
  const data = change(query.state.data as T)
  if (data !== query.state.data) query.setState({ data })
}

/** Does something when the reading under way has brought something; nothing where it fails or another takes its place. */
function onceRead(client: QueryClient, query: Query, work: () => void): void {
  const stop = client.getQueryCache().subscribe((event) => {
    if (event.query !== query || (event.type !== 'updated' && event.type !== 'removed')) return
    const action = event.type === 'updated' ? event.action : undefined
    const isRead = action?.type === 'success' && !action.manual
    const isOver = action === undefined || action.type === 'error' || action.type === 'fetch'
    if (isRead || isOver) stop()
    if (isRead) work()
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
        // What could not be read at all is asked for again when the network is back; what stands, stands.
        refetchOnReconnect: ({ state }) => state.data === undefined,
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
