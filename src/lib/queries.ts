// The query cache as loaders know it: it comes with the first page that reads, so the door opens without it.
import type { QueryClient } from '@tanstack/react-query'

export type Queries = Pick<
  QueryClient,
  'ensureQueryData' | 'ensureInfiniteQueryData' | 'fetchQuery' | 'prefetchQuery' | 'invalidateQueries'
>

let loaded: Promise<typeof import('./query-cache.tsx')> | undefined

/** The cache and its provider; a load that failed is tried again by the next who asks. */
export function loadQueryCache() {
  loaded ??= import('./query-cache.tsx').catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

/** The cache, where a page has asked for it already. */
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

/** What one person read is not for the next one's eyes. */
export async function forgetReadings(): Promise<void> {
  if (!loaded) return
  const { queryClient } = await loaded
  queryClient.clear()
}
