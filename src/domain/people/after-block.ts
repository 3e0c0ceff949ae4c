// After a block or a mute: whatever this device has read of people and their things is read again.
import type { Query, QueryClient } from '@tanstack/react-query'
import { isObserved } from '#src/lib/query-internals.ts'
import { viewer } from '#src/domain/session/session.ts'
import { sightChanged } from '#src/domain/api/visibility.ts'

/** What stays as it is: nothing in it depends on whom one sees. */
const untouched = new Set([
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

const concerned = ({ queryKey }: Query): boolean => !untouched.has(String(queryKey[0]))

let readings = 0

/** Whether it is under way: the change of the session's mark that it brings is no other one. */
export const readsAgain = (): boolean => readings > 0

/**
 * Removes queries that are not displayed, so that earlier data does not return with another page. Lists added in
 * future are removed too: exceptions are listed, not the removed ones. A request of an opening page is sent again
 * after its reply.
 */
export async function forgetAfterBlock(client: QueryClient): Promise<void> {
  sightChanged()
  client.removeQueries({
    type: 'inactive',
    predicate: (query) => concerned(query) && query.state.fetchStatus === 'idle',
  })
  forgetWhenLeft(client)
  const { forgetAll } = await import('#src/domain/offline/response-cache.ts')
  await forgetAll()
}

/** Displayed data is removed when it is no longer displayed, unless it was read again by then. */
function forgetWhenLeft(client: QueryClient): void {
  const cache = client.getQueryCache()
  const displayed = cache.findAll({ type: 'active', predicate: concerned })
  /** Number of replies that each displayed query had received; a clock cannot tell two within one millisecond. */
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

/** Reads again what is shown, and whom the session says one sees. */
export async function readAgain(client: QueryClient): Promise<void> {
  readings++
  try {
    await viewer.refreshNow()
  } finally {
    readings--
  }
  await client.invalidateQueries({ predicate: concerned })
}

export async function readAgainAfterBlock(client: QueryClient): Promise<void> {
  await forgetAfterBlock(client)
  await readAgain(client)
}
