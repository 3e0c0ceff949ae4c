// Removes and reads again cached data of people after a block or a mute.
import type { Query, QueryClient } from '@tanstack/react-query'
import { isObserved } from '#src/lib/query-internals.ts'
import { viewer } from '#src/domain/session/session.ts'
import { visibilityChanged } from '#src/domain/api/visibility.ts'

/** Endpoints whose replies do not depend on blocks and mutes. */
const INDEPENDENT = new Set([
  'getOperator',
  'getHealth',
  'listSessions',
  'listPasskeys',
  'getIdentity',
  'getExport',
  'getDeletion',
  'getOwnInfo',
  'getPrivacySettings',
  'getNotificationSettings',
  'listOwnPlans',
])

const dependsOnBlocks = ({ queryKey }: Query): boolean => !INDEPENDENT.has(String(queryKey[0]))

let refetches = 0

/** Whether data is being read again; the session's new blocklist version is then no further change. */
export const isRefetching = (): boolean => refetches > 0

/**
 * Removes queries that are not displayed, so that another page cannot show earlier data. All queries are removed but
 * for the listed exceptions. A request of an opening page is sent again after its reply.
 */
export async function removeAfterBlock(client: QueryClient): Promise<void> {
  visibilityChanged()
  client.removeQueries({
    type: 'inactive',
    predicate: (query) => dependsOnBlocks(query) && query.state.fetchStatus === 'idle',
  })
  removeAfterDisplay(client)
  const { evictAll } = await import('#src/domain/offline/response-cache.ts')
  await evictAll()
}

/** Removes displayed data after its display, unless it was read again by then. */
function removeAfterDisplay(client: QueryClient): void {
  const cache = client.getQueryCache()
  const displayed = cache.findAll({ type: 'active', predicate: dependsOnBlocks })
  /** Reply count of each displayed query, since times cannot distinguish two replies within 1 ms. */
  const old = new Map(displayed.map((query): [Query, number] => [query, query.state.dataUpdateCount]))
  if (old.size === 0) return
  const stop = cache.subscribe(({ query }) => {
    const replies = old.get(query)
    if (replies === undefined) return
    if (query.state.dataUpdateCount > replies) old.delete(query)
    else if (!isObserved(query) && query.state.fetchStatus === 'idle') {
      old.delete(query)
      cache.remove(query)
    }
    if (old.size === 0) stop()
  })
}

/** Reads the session and the displayed data again. */
export async function refetchAfterBlock(client: QueryClient): Promise<void> {
  refetches++
  try {
    await viewer.refreshNow()
  } finally {
    refetches--
  }
  await client.invalidateQueries({ predicate: dependsOnBlocks })
}

export async function removeAndRefetch(client: QueryClient): Promise<void> {
  await removeAfterBlock(client)
  await refetchAfterBlock(client)
}
