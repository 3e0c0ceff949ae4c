// What TanStack Query leaves undocumented and this app needs; its test fails when a version changes it.
import type { Query, QueryCacheNotifyEvent } from '@tanstack/react-query'

interface Change<T> {
  readonly data?: T
  /** When the data was read, ms since 1970. */
  readonly dataUpdatedAt?: number
  readonly isInvalidated?: boolean
}

/** Changes a query's state in place: unlike `setQueryData`, neither its age nor its error changes with its data. */
export function changeState<T>(query: Query, change: Change<T>): void {
  query.setState(change)
}

/** Whether the fetch under way adds a page to a list; the pages before it stay as they are. */
export const isFetchingPage = (query: Query): boolean => query.state.fetchMeta?.fetchMore !== undefined

/** Fetches a query of which no component may exist. Its failure is in its state. */
export function fetchAgain(query: Query): void {
  void query.fetch().catch(() => undefined)
}

/** Whether a component shows the query. */
export const isObserved = (query: Query): boolean => query.getObserversCount() > 0

/**
 * What an event of the cache says of its query; undefined for all else. `fetched`: an answer came. `changed`: its state
 * or data was set. `failed` and `started` are of a fetch.
 */
export type QueryEvent =
  | { readonly is: 'fetched' | 'changed' | 'started' | 'removed' }
  | { readonly is: 'failed'; readonly error: unknown }

export function queryEventOf(event: QueryCacheNotifyEvent): QueryEvent | undefined {
  if (event.type === 'removed') return { is: 'removed' }
  if (event.type !== 'updated') return undefined
  const { action } = event
  if (action.type === 'success') return { is: action.manual ? 'changed' : 'fetched' }
  if (action.type === 'setState') return { is: 'changed' }
  if (action.type === 'error') return { is: 'failed', error: action.error }
  return action.type === 'fetch' ? { is: 'started' } : undefined
}
