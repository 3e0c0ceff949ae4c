// The response cache of the page: stores replies for its person, parses them when they are read, and asks the server
// again where access may have ended.
import type { Query, QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import type { Endpoint } from '#contract/endpoint.ts'
import { answerKey } from '#contract/search/reading-keys.ts'
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
import { keepShown } from './shown-pictures.ts'
import { bearer, call } from '#src/domain/api/api.ts'
import { hasGatedContent } from '#device/cache/access-expiry.ts'

/** Changes within this time are stored together, ms. */
const SETTLE_MS = 300

const pagesOf = <S extends v.GenericSchema>(reply: S) =>
  v.object({ pages: v.array(reply), pageParams: v.array(v.unknown()) })

/** The person of this page's token: nothing is shown or stored for another one. */
async function personNow(): Promise<string | undefined> {
  const session = await readSession()
  return session && session.token === bearer.token ? session.user.id : undefined
}

/** What came from the device and need not go back there. */
const recalled = new WeakSet<object>()
function noteRecalled(value: unknown): void {
  if (typeof value === 'object' && value !== null) recalled.add(value)
}
const isRecalled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && recalled.has(value)

async function kept(key: readonly unknown[]) {
  const ownerId = await personNow()
  const answer = ownerId === undefined ? undefined : await readResponse(ownerId, answerKey(key))
  return ownerId === (await personNow()) ? answer : undefined
}

/** The cached response, parsed by the current schema; a response that does not fit is ignored. */
export async function recallOne(endpoint: Endpoint, key: readonly unknown[]) {
  const answer = await kept(key)
  const parsed = v.safeParse(endpoint.reply, answer?.value)
  if (!answer || !parsed.success) return undefined
  noteRecalled(parsed.output)
  return { value: parsed.output, at: answer.at }
}

/** Stored replies that list posts or people and mention an id, the latest first. Not parsed. */
export async function recallNaming(id: string): Promise<readonly Reading[]> {
  const ownerId = await personNow()
  const found = ownerId === undefined ? [] : await responsesNaming(ownerId, id, listing)
  return ownerId === (await personNow()) ? found : []
}

/** A post as a stored list has it; the key is that of the post's own reading. */
export async function recallListed([name, , args]: readonly unknown[]) {
  if (name !== getPost.name) return undefined
  const { params } = args as { params: { post_id: string } }
  const listed = postAmong(await recallNaming(params.post_id), params.post_id)
  // Not yet stored under the post's own key: it is not marked as what the device has.
  return listed && { value: listed.post, at: listed.at }
}

/** The same for the page of a list that begins at `param`. */
export async function recallPage(endpoint: Endpoint, key: readonly unknown[], param: unknown) {
  const answer = await kept(key)
  const parsed = v.safeParse(pagesOf(endpoint.reply), answer?.value)
  if (!answer || !parsed.success) return undefined
  const at = parsed.output.pageParams.findIndex((it) => answerKey([it]) === answerKey([param]))
  const value = parsed.output.pages[at]
  if (value === undefined) return undefined
  noteRecalled(value)
  return { value, at: answer.at }
}

/** The server said that there is no such thing, or not for this person. */
export async function forget(key: readonly unknown[]): Promise<void> {
  try {
    const ownerId = await personNow()
    if (ownerId !== undefined) await dropResponse(ownerId, answerKey(key))
  } catch (error) {
    console.warn('this device keeps no answers', error)
  }
}

/** After a block: any cached response may contain a person who must be hidden. */
export async function forgetAll(): Promise<void> {
  try {
    const ownerId = await personNow()
    if (ownerId !== undefined) await dropResponses(ownerId)
  } catch (error) {
    // What is shown is read again all the same.
    console.warn('this device keeps no answers', error)
  }
}

/** Stores every cacheable response of this query cache, present and future ones. */
export function cacheResponses(client: QueryClient): void {
  const cache = client.getQueryCache()
  /** Queries to be stored soon, with the token they were read with. */
  const waiting = new Map<Query, string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function note(query: Query): void {
    const { token } = bearer
    const { data } = query.state
    if (!query.meta?.['kept'] || token === undefined || data === undefined) return
    const { pages } = data as { pages?: unknown[] }
    if (query.queryKey[1] === 'pages' ? pages?.every(isRecalled) : isRecalled(data)) return
    waiting.set(query, token)
    timer ??= setTimeout(() => void flush(), SETTLE_MS)
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const due = [...waiting]
    waiting.clear()
    const ownerId = await personNow()
    for (const [query, token] of due) {
      // Another person is signed in, or the query was removed.
      if (ownerId === undefined || token !== bearer.token || cache.get(query.queryHash) !== query) continue
      await keep(query, ownerId)
    }
    await keepPictures()
  }

  for (const query of cache.getAll()) note(query)
  cache.subscribe((event) => {
    const it = queryEventOf(event)
    if (it?.is === 'fetched' || it?.is === 'changed') note(event.query)
  })
  confirmSoon()
  window.addEventListener('online', confirmSoon)
  void dropExpired(Date.now()).catch(() => undefined)
  // The first worker is active: pictures it did not fetch are not stored yet.
  navigator.serviceWorker?.addEventListener('controllerchange', () => void keepPictures())
  // A page that is left is not given the time to wait.
  window.addEventListener('pagehide', () => void flush())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && void flush())
}

async function keepPictures(): Promise<void> {
  const ownerId = await personNow()
  if (ownerId === undefined) return
  await keepShown(ownerId).catch((error: unknown) => console.warn('pictures were not kept', error))
}

async function keep({ queryKey, state }: Query, ownerId: string): Promise<void> {
  const { data: value, dataUpdatedAt: at } = state
  if (value === undefined) return
  const answer = { ownerId, key: answerKey(queryKey), value, at }
  await saveResponse(answer).catch((error: unknown) => console.warn('an answer was not kept', error))
}

/** First what the page itself wants to read, ms. */
const CONFIRM_AFTER_MS = 10_000
/** Most posts that are requested again; the rest is removed. */
const MAX_CONFIRMED = 20
let confirming: ReturnType<typeof setTimeout> | undefined

function confirmSoon(): void {
  clearTimeout(confirming)
  confirming = setTimeout(() => void confirmGated(), CONFIRM_AFTER_MS)
}

/**
 * The network is back: posts that a plan or a purchase opened are requested one by one, and removed if they are
 * closed. Cached lists that were not read again lose such posts.
 */
async function confirmGated(): Promise<void> {
  const ownerId = await personNow()
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
