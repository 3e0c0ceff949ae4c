// Creates queries from endpoints, and changes their cached data.
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
import { changeState, queryEventOf } from '#src/lib/query-internals.ts'
import { readThroughCache } from '#src/domain/offline/cached-reads.ts'
import { call, isMissing } from '#src/domain/api/api.ts'
import { requestVisible } from '#src/domain/api/visibility.ts'
import type { RuledName } from './reading-rules.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** The first part names a rule, by which the reading is done again. */
    queryKey: readonly [RuledName, ...unknown[]]
  }
}

/** An endpoint whose readings have a rule. */
type Ruled = Endpoint & { readonly name: RuledName }

/** Who reads in place of the signed-in person, such as the holder of an email's link. */
export interface Caller {
  readonly call: typeof call
  /** Keeps what is read apart from that of the signed-in person. */
  readonly name: string
}

const keyOf = <Key extends QueryKey>(key: Key, caller: Caller | undefined): Key | readonly [...Key, string] =>
  caller ? [...key, caller.name] : key

/**
 * Options of the query of an endpoint with arguments. Leaving a page does not cancel its read, since the next page may
 * wait for it.
 */
export function queryFor<E extends Ruled>(endpoint: E, args: CallInput<E>, caller?: Caller) {
  const request = caller?.call ?? call
  return queryOptions({
    queryKey: keyOf(oneKey(endpoint, args), caller),
    queryFn: (context) =>
      readThroughCache(endpoint, context, () => requestVisible(() => request(endpoint, args))),
    meta: { cached: endpoint.cached },
  })
}

interface Paged {
  next: string | null
}

/** Options of the infinite query of an endpoint that pages by `cursor` and `next`. */
export function pagesFor<E extends Ruled>(
  endpoint: ReplyOf<E> extends Paged ? E : never,
  args: CallInput<E>,
  caller?: Caller,
) {
  const callFor = caller?.call ?? call
  return infiniteQueryOptions({
    queryKey: keyOf(pagesKey(endpoint, args), caller),
    queryFn: (context) => {
      const loose = args as { query?: object }
      const query = { ...loose.query, ...(context.pageParam !== null && { cursor: context.pageParam }) }
      const request = () => callFor<E>(endpoint, { ...loose, query } as CallInput<E>)
      return readThroughCache(endpoint, context, () => requestVisible(request))
    },
    meta: { cached: endpoint.cached },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as Paged).next,
  })
}

/** Filter of all queries of an endpoint. */
export const queriesOf = <Name extends RuledName>({ name }: { readonly name: Name }) => ({
  queryKey: [name] as const,
})

/**
 * Changes cached data after a mutation by the viewer; age and last failure stay. The reply of a running request is
 * changed too, since it was sent before the mutation. A change must have the same result twice: counts are replaced, never
 * added to.
 */
export function changeData<T>(client: QueryClient, filters: QueryFilters, change: (data: T) => T): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    changeOne(query, change)
    if (query.state.fetchStatus === 'idle') continue
    afterFetch(client, query, () => changeOne(query, change))
  }
}

function changeOne<T>(query: Query, change: (data: T) => T): void {
  if (query.state.data === undefined) return
  const data = change(query.state.data as T)
  if (data !== query.state.data) changeState(query, { data })
}

/** Runs work when the running fetch succeeds; not when it fails or is replaced. */
function afterFetch(client: QueryClient, query: Query, work: () => void): void {
  const stop = client.getQueryCache().subscribe((event) => {
    const it = event.query === query ? queryEventOf(event) : undefined
    if (it === undefined || it.is === 'changed') return
    stop()
    if (it.is === 'fetched') work()
  })
}

/** Replaces data by newer data, at once where no fetch is running; a running one is cancelled. */
export async function replaceData<T>(
  client: QueryClient,
  queryKey: QueryKey,
  data: Updater<T>,
): Promise<void> {
  if (client.getQueryState(queryKey)?.fetchStatus !== 'idle')
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

/** Fetches a further page of a list, after a running refetch. */
export async function fetchMore<Read>(list: LongList<Read>, back = false): Promise<Read> {
  const read = () =>
    back ? list.fetchPreviousPage({ cancelRefetch: false }) : list.fetchNextPage({ cancelRefetch: false })
  const isBusy = list.isFetching && !list.isFetchingNextPage && !list.isFetchingPreviousPage
  if (isBusy) await read()
  return read()
}

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // Data that no longer exists for this viewer is not shown: after a block or a deletion.
      onError(error, { queryKey, state }) {
        if (state.data !== undefined && isMissing(error)) void client.resetQueries({ queryKey, exact: true })
      },
    }),
    defaultOptions: {
      queries: {
        // The call itself tries a read twice.
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
