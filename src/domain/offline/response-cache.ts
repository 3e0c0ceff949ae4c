// The page's response cache: stores replies, reads them, and confirms access that may have ended.
import type { Query, QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import type { Endpoint } from '#contract/endpoint.ts'
import { responseKey } from '#contract/search/reading-keys.ts'
import { getPost } from '#contract/posts/posts.ts'
import {
  dropResponse,
  dropResponses,
  dropGated,
  responsesNaming,
  dropExpired,
  listResponses,
  readResponse,
  saveResponse,
} from '#device/cache/responses.ts'
import { readSession } from '#device/session/session.ts'
import { queryEventOf } from '#src/lib/query-internals.ts'
import { isAway } from './cached-reads.ts'
import { listing, postAmong, type Reading } from './listed.ts'
import type { ToStore } from './to-store.ts'
import { cacheShownPictures } from './shown-pictures.ts'
import { bearer, call } from '#src/domain/api/api.ts'
import { hasGatedContent } from '#device/cache/access-expiry.ts'

/** Changes within this time are stored together, ms. */
const STORE_DELAY_MS = 300

const pagesOf = <S extends v.GenericSchema>(reply: S) =>
  v.object({ pages: v.array(reply), pageParams: v.array(v.unknown()) })

/** The person of this page's token, the only one whose responses are used. */
async function currentOwnerId(): Promise<string | undefined> {
  const session = await readSession()
  return session && session.token === bearer.token ? session.user.id : undefined
}

/** Values read from the cache, which need not be stored again. */
const fromCache = new WeakSet<object>()
function markFromCache(value: unknown): void {
  if (typeof value === 'object' && value !== null) fromCache.add(value)
}
const isFromCache = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && fromCache.has(value)

async function readCached(key: readonly unknown[]) {
  const ownerId = await currentOwnerId()
  const response = ownerId === undefined ? undefined : await readResponse(ownerId, responseKey(key))
  return ownerId === (await currentOwnerId()) ? response : undefined
}

/** The cached response, parsed by the current schema; a response that does not fit is ignored. */
export async function readCachedOne(endpoint: Endpoint, key: readonly unknown[]) {
  const cached = await readCached(key)
  const parsed = v.safeParse(endpoint.reply, cached?.value)
  if (!cached || !parsed.success) return undefined
  markFromCache(parsed.output)
  return { value: parsed.output, at: cached.at }
}

/** Cached responses of lists that contain an id, the latest first. Not parsed. */
export async function readCachedMentions(id: string): Promise<readonly Reading[]> {
  const ownerId = await currentOwnerId()
  const found = ownerId === undefined ? [] : await responsesNaming(ownerId, id, listing)
  return ownerId === (await currentOwnerId()) ? found : []
}

/** A post from a cached list, for the key of the post's own query. */
export async function readCachedFromLists([name, , args]: readonly unknown[]) {
  if (name !== getPost.name) return undefined
  const { params } = args as { params: { post_id: string } }
  const listed = postAmong(await readCachedMentions(params.post_id), params.post_id)
  // Not marked as cached, since it is not stored under the post's own key.
  return listed && { value: listed.post, at: listed.at }
}

/** The cached page of a list that begins at `param`. */
export async function readCachedPage(endpoint: Endpoint, key: readonly unknown[], param: unknown) {
  const answer = await readCached(key)
  const parsed = v.safeParse(pagesOf(endpoint.reply), answer?.value)
  if (!answer || !parsed.success) return undefined
  const at = parsed.output.pageParams.findIndex((it) => responseKey([it]) === responseKey([param]))
  const value = parsed.output.pages[at]
  if (value === undefined) return undefined
  markFromCache(value)
  return { value, at: answer.at }
}

/** Deletes the cached response of a query whose access ended. */
export async function evict(key: readonly unknown[]): Promise<void> {
  try {
    const ownerId = await currentOwnerId()
    if (ownerId !== undefined) await dropResponse(ownerId, responseKey(key))
  } catch (error) {
    console.warn('a cached response was not deleted', error)
  }
}

/** Deletes all cached responses after a block, since any may contain a hidden person. */
export async function evictAll(): Promise<void> {
  try {
    const ownerId = await currentOwnerId()
    if (ownerId !== undefined) await dropResponses(ownerId)
  } catch (error) {
    // Displayed data is read again in any case.
    console.warn('cached responses were not deleted', error)
  }
}

/** Stores every cacheable response of this query cache, present and future ones. */
export function cacheResponses(client: QueryClient): void {
  const cache = client.getQueryCache()
  /** Queries to be stored soon, with the token they were read with. */
  const waiting = new Map<Query, string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function schedule(query: Query): void {
    const { token } = bearer
    const { data } = query.state
    if (!query.meta?.['cached'] || token === undefined || data === undefined) return
    const { pages } = data as { pages?: unknown[] }
    if (query.queryKey[1] === 'pages' ? pages?.every(isFromCache) : isFromCache(data)) return
    waiting.set(query, token)
    timer ??= setTimeout(() => void flush(), STORE_DELAY_MS)
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const due = [...waiting]
    waiting.clear()
    const ownerId = await currentOwnerId()
    for (const [query, token] of due) {
      // Another account is signed in, or the query was removed.
      if (ownerId === undefined || token !== bearer.token || cache.get(query.queryHash) !== query) continue
      await storeResponse(query, ownerId)
    }
    await storePictures()
  }

  for (const query of cache.getAll()) schedule(query)
  cache.subscribe((event) => {
    const it = queryEventOf(event)
    if (it?.is === 'fetched' || it?.is === 'changed') schedule(event.query)
  })
  confirmSoon()
  window.addEventListener('online', confirmSoon)
  void dropExpired(Date.now()).catch(() => undefined)
  // Pictures that were loaded before the first worker was active are not stored yet.
  navigator.serviceWorker?.addEventListener('controllerchange', () => void storePictures())
  // A page that is left has no time to wait.
  window.addEventListener('pagehide', () => void flush())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && void flush())
}

async function storePictures(): Promise<void> {
  const ownerId = await currentOwnerId()
  if (ownerId === undefined) return
  await cacheShownPictures(ownerId).catch((error: unknown) => console.warn('pictures were not stored', error))
}

async function storeResponse({ queryKey, state, meta }: Query, ownerId: string): Promise<void> {
  const { data, dataUpdatedAt: at } = state
  if (data === undefined) return
  const key = responseKey(queryKey)
  const toStore = meta?.['toStore'] as ToStore | undefined
  try {
    const value = toStore ? toStore(data, (await readResponse(ownerId, key))?.value) : data
    await saveResponse({ ownerId, key, value, at })
  } catch (error) {
    console.warn('a response was not stored', error)
  }
}

/** Wait before confirming, so that the page's own reads come first, ms. */
const CONFIRM_AFTER_MS = 10_000
/** Highest number of posts that are requested again; the rest is deleted. */
const MAX_CONFIRMED = 20
let confirming: ReturnType<typeof setTimeout> | undefined

function confirmSoon(): void {
  clearTimeout(confirming)
  confirming = setTimeout(() => void confirmGated(), CONFIRM_AFTER_MS)
}

/**
 * Confirms gated posts when the network is back: each is requested, and deleted if access ended. Cached lists that
 * were not read again lose such posts.
 */
async function confirmGated(): Promise<void> {
  const ownerId = await currentOwnerId()
  if (ownerId === undefined || !navigator.onLine) return
  const since = Date.now() - CONFIRM_AFTER_MS * 2
  const old = (await listResponses(ownerId)).filter(
    ({ at, value }) => at < since && hasGatedContent(value, ownerId),
  )
  let left = MAX_CONFIRMED
  for (const { key, value } of old.toReversed()) {
    const post = v.safeParse(getPost.reply, value)
    if (!post.success || left-- <= 0) {
      await dropGated(ownerId, key)
      continue
    }
    try {
      const now = await call(getPost, { params: { post_id: post.output.id } })
      await saveResponse({ ownerId, key, value: now, at: Date.now() })
    } catch (error) {
      if (isAway(error)) return
      await dropResponse(ownerId, key)
    }
  }
}
