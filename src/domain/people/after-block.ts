// After a block or a mute: whatever this device has read of people and their things is read again.
import type { Query, QueryClient } from '@tanstack/react-query'
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
 * Forgets what is not shown, so that nothing of before comes back with a step to another page. A list that is new
 * tomorrow is forgotten too: what stays is named, not what goes. What is being read for a page that opens is asked for
 * again instead, when its answer is there.
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

/** What is shown at this moment goes when nobody looks at it any more, unless it was read again by then. */
function forgetWhenLeft(client: QueryClient): void {
  const cache = client.getQueryCache()
  const since = Date.now()
  const old = new Set(cache.findAll({ type: 'active', predicate: concerned }))
  if (old.size === 0) return
  const stop = cache.subscribe(({ query }) => {
    if (!old.has(query)) return
    if (query.state.dataUpdatedAt > since) old.delete(query)
    else if (query.getObserversCount() === 0 && query.state.fetchStatus === 'idle') {
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
