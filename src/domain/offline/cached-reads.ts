// Reads through the response cache while the network is slow or away.
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { changeState, fetchAgain } from '#src/lib/query-internals.ts'
import { ApiFailure, type FailureCode } from '#src/domain/api/api.ts'

/** Wait for the network before cached data is shown, ms. */
const GRACE_MS = 400

/** No reply, or a temporary failure. Every other reply is final. */
const TEMPORARY: ReadonlySet<FailureCode> = new Set([
  'offline',
  'foreign',
  'unavailable',
  'internal',
  'rate_limited',
])
/** The resource does not exist, or not for this person. */
const ENDED: ReadonlySet<FailureCode> = new Set(['not_found', 'gone', 'forbidden'])

const isOneOf = (codes: ReadonlySet<FailureCode>, error: unknown): boolean =>
  error instanceof ApiFailure && codes.has(error.code)

/** Whether a read failed only because the server could not be reached. */
export const isAway = (error: unknown): boolean => isOneOf(TEMPORARY, error)

// Loaded beside the first reply, not before it.
const store = () => import('./response-cache.ts')

/** Running first requests whose cached response is already shown. */
const waiting = new WeakMap<object, Promise<unknown>>()

/** The context of a query function; `pageParam` is the start of a page. */
interface Context {
  readonly client: QueryClient
  readonly queryKey: QueryKey
  readonly pageParam?: unknown
}

/**
 * Requests an endpoint through the response cache. The cached response is used while the server cannot be reached or
 * its first reply is slow; the reply then replaces it.
 */
export async function readThroughCache<T>(
  endpoint: Endpoint,
  context: Context,
  request: () => Promise<T>,
): Promise<T> {
  const query = context.client.getQueryCache().find({ queryKey: context.queryKey, exact: true })
  if (!endpoint.cached || !query) return request()
  const running = waiting.get(query) as Promise<T> | undefined
  waiting.delete(query)
  if (running) return running
  const reply = request()
  const data = query.state.data as { pageParams?: readonly unknown[] } | undefined
  const isRefetch = data !== undefined && (context.queryKey[1] !== 'pages' || has(data, context.pageParam))
  const outcome = await outcomeOf(reply, data === undefined ? GRACE_MS : undefined)
  if (outcome.is === 'there') return reply
  if (outcome.is === 'failed' && isOneOf(ENDED, outcome.error)) {
    void store().then(({ evict }) => evict(context.queryKey))
    return reply
  }
  if (isRefetch || (outcome.is === 'failed' && !isAway(outcome.error))) return reply
  const cached = await readCached(endpoint, context)
  if (!cached) return reply
  if (data === undefined) waiting.set(query, reply)
  // After the cached response is shown, its age is set; a first read continues to wait for the running request.
  setTimeout(() => {
    changeState(query, { dataUpdatedAt: cached.at, isInvalidated: true })
    if (data === undefined) fetchAgain(query)
  })
  return cached.value as T
}

const has = ({ pageParams }: { pageParams?: readonly unknown[] }, param: unknown): boolean =>
  pageParams?.some((it) => hashKey([it]) === hashKey([param])) ?? false

type End = { is: 'there' } | { is: 'late' } | { is: 'failed'; error: unknown }

/** The outcome of a request, or `late` after `grace` ms. */
async function outcomeOf(answer: Promise<unknown>, grace: number | undefined): Promise<End> {
  const end = answer.then(
    (): End => ({ is: 'there' }),
    (error: unknown): End => ({ is: 'failed', error }),
  )
  if (grace === undefined) return end
  return Promise.race([end, new Promise<End>((late) => setTimeout(() => late({ is: 'late' }), grace))])
}

/** The cached response; undefined on a device that cannot be read. */
async function readCached(endpoint: Endpoint, { queryKey, pageParam }: Context) {
  try {
    const { readCachedFromLists, readCachedOne, readCachedPage } = await store()
    if (queryKey[1] === 'pages') return await readCachedPage(endpoint, queryKey, pageParam)
    return (await readCachedOne(endpoint, queryKey)) ?? (await readCachedFromLists(queryKey))
  } catch {
    return undefined
  }
}
