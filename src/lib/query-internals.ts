// Wraps undocumented behaviour of TanStack Query; its test fails when a version changes it.
import type { Query, QueryCacheNotifyEvent } from '@tanstack/react-query'

interface Change<T> {
  readonly data?: T
  /** When the data was read, ms since 1970. */
  readonly dataUpdatedAt?: number
  readonly isInvalidated?: boolean
}

/** Changes a query's state in place. Unlike `setQueryData`, it leaves age and error as they are. */
export function changeState<T>(query: Query, change: Change<T>): void {
  query.setState(change)
}

/** Fetches a query that may have no component. Its failure is in its state. */
export function fetchAgain(query: Query): void {
  void query.fetch().catch(() => undefined)
}

/** Whether a component shows the query. */
export const isObserved = (query: Query): boolean => query.getObserversCount() > 0

/**
 * An event of the query cache. `fetched`: a reply came. `changed`: state or data was set. `started` and `failed` are
 * about a fetch.
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
