// Loads the query cache with the first page that reads from the server.
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'

export type Queries = Pick<
  QueryClient,
  'ensureQueryData' | 'ensureInfiniteQueryData' | 'fetchQuery' | 'prefetchQuery' | 'invalidateQueries'
>

/** The module `src/query-cache.tsx`. */
export interface QueryCacheModule {
  readonly queryClient: QueryClient
  readonly QueryCache: ComponentType<{ children: ReactNode }>
}

let load: (() => Promise<QueryCacheModule>) | undefined
let loaded: Promise<QueryCacheModule> | undefined

/** Sets how the module is imported. Called once, before the first page. */
export function provideQueryCache(importModule: () => Promise<QueryCacheModule>): void {
  load = importModule
}

/**
 * The cache and its provider; a failed load is repeated by the next call.
 * @throws when the module cannot be loaded
 */
export async function loadQueryCache(): Promise<QueryCacheModule> {
  if (!load) throw new Error('provideQueryCache was not called')
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

/** The cache, if a page has loaded it. */
export const cacheIfLoaded = () => loaded

type Name = keyof Queries

function afterLoad<N extends Name>(name: N): Queries[N] {
  const call = async (...args: unknown[]): Promise<unknown> => {
    const { queryClient } = await loadQueryCache()
    return (queryClient[name] as (...given: unknown[]) => unknown)(...args)
  }
  return call as unknown as Queries[N]
}

/** The cache's methods, each of which waits for the cache. */
export const queries: Queries = {
  ensureQueryData: afterLoad('ensureQueryData'),
  ensureInfiniteQueryData: afterLoad('ensureInfiniteQueryData'),
  fetchQuery: afterLoad('fetchQuery'),
  prefetchQuery: afterLoad('prefetchQuery'),
  invalidateQueries: afterLoad('invalidateQueries'),
}

/** Empties the cache, so that the next account cannot see its data. */
export async function clearQueryCache(): Promise<void> {
  if (!loaded) return
  const { queryClient } = await loaded
  queryClient.clear()
}
