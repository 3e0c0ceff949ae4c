// Reads with the device's cached response: shown where the network is slow or away, replaced once the server answers.
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { changeState, fetchAgain } from '#src/lib/query-internals.ts'
import { ApiFailure, type FailureCode } from '#src/domain/api/api.ts'

/** How long the network may take before cached data is shown, ms: a fast connection shows nothing older. */
const GRACE_MS = 400

/** No reply, or a temporary failure. Every other reply is final. */
const away: ReadonlySet<FailureCode> = new Set([
  'offline',
  'foreign',
  'unavailable',
  'internal',
  'rate_limited',
])
/** There is no such thing, or not for this person. */
const over: ReadonlySet<FailureCode> = new Set(['not_found', 'gone', 'forbidden'])

const isOneOf = (codes: ReadonlySet<FailureCode>, error: unknown): boolean =>
  error instanceof ApiFailure && codes.has(error.code)

/** Whether a read failed only because the server could not be reached. */
export const isAway = (error: unknown): boolean => isOneOf(away, error)

// It comes beside the first answer, not before it.
const store = () => import('./response-cache.ts')

/** First answers under way, of which an older one is shown already. */
const underway = new WeakMap<object, Promise<unknown>>()

/** What a query hands to its function, of a list with the place the page begins at. */
interface Context {
  readonly client: QueryClient
  readonly queryKey: QueryKey
  readonly pageParam?: unknown
}

/**
 * Requests an endpoint. If its responses are cached, the cached one is used while the server cannot be reached or the
 * first reply is slow; the newer one then replaces it.
 */
export async function readThroughCache<T>(
  endpoint: Endpoint,
  context: Context,
  ask: () => Promise<T>,
): Promise<T> {
  const query = context.client.getQueryCache().find({ queryKey: context.queryKey, exact: true })
  if (!endpoint.kept || !query) return ask()
  const running = underway.get(query) as Promise<T> | undefined
  underway.delete(query)
  if (running) return running
  const answer = ask()
  const data = query.state.data as { pageParams?: readonly unknown[] } | undefined
  const again = data !== undefined && (context.queryKey[1] !== 'pages' || has(data, context.pageParam))
  const end = await first(answer, data === undefined ? GRACE_MS : undefined)
  if (end.is === 'there') return answer
  if (end.is === 'failed' && isOneOf(over, end.error)) {
    void store().then(({ forget }) => forget(context.queryKey))
    return answer
  }
  if (again || (end.is === 'failed' && !isAway(end.error))) return answer
  const kept = await recall(endpoint, context)
  if (!kept) return answer
  if (data === undefined) underway.set(query, answer)
  // Once this one is shown, the page learns how old it is and, of a first one, waits for the newer, which is under way.
  setTimeout(() => {
    changeState(query, { dataUpdatedAt: kept.at, isInvalidated: true })
    if (data === undefined) fetchAgain(query)
  })
  return kept.value as T
}

const has = ({ pageParams }: { pageParams?: readonly unknown[] }, param: unknown): boolean =>
  pageParams?.some((it) => hashKey([it]) === hashKey([param])) ?? false

type End = { is: 'there' } | { is: 'late' } | { is: 'failed'; error: unknown }

/** How an answer ends, or that it has not after `grace` ms. */
async function first(answer: Promise<unknown>, grace: number | undefined): Promise<End> {
  const end = answer.then(
    (): End => ({ is: 'there' }),
    (error: unknown): End => ({ is: 'failed', error }),
  )
  if (grace === undefined) return end
  return Promise.race([end, new Promise<End>((late) => setTimeout(() => late({ is: 'late' }), grace))])
}

/** A device that cannot be read has no cached responses. */
async function recall(endpoint: Endpoint, { queryKey, pageParam }: Context) {
  try {
    const { recallListed, recallOne, recallPage } = await store()
    if (queryKey[1] === 'pages') return await recallPage(endpoint, queryKey, pageParam)
    return (await recallOne(endpoint, queryKey)) ?? (await recallListed(queryKey))
  } catch {
    return undefined
  }
}
