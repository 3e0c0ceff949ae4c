// The query cache for route loaders: loaded with the first page that reads, so that the sign-in page starts without it.
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

/** Called once, before the first page: how the module is imported. */
export function provideQueryCache(importModule: () => Promise<QueryCacheModule>): void {
  load = importModule
}

/**
 * The cache and its provider; a load that failed is repeated by the next call.
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

/** The cache, where a page has loaded it already. */
export const cacheIfLoaded = () => loaded

type Name = keyof Queries

function late<N extends Name>(name: N): Queries[N] {
  const call = async (...args: unknown[]): Promise<unknown> => {
    const { queryClient } = await loadQueryCache()
    return (queryClient[name] as (...given: unknown[]) => unknown)(...args)
  }
  return call as unknown as Queries[N]
}

/** Each call waits for the cache, then is the cache's own. */
export const queries: Queries = {
  ensureQueryData: late('ensureQueryData'),
  ensureInfiniteQueryData: late('ensureInfiniteQueryData'),
  fetchQuery: late('fetchQuery'),
  prefetchQuery: late('prefetchQuery'),
  invalidateQueries: late('invalidateQueries'),
}

/** Empties the cache: the next person to sign in must not see what this one read. */
export async function forgetReadings(): Promise<void> {
  if (!loaded) return
  const { queryClient } = await loaded
  queryClient.clear()
}
