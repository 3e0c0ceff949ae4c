// Cached responses are shown while the server is away or slow.
import 'fake-indexeddb/auto'
import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { responseKey } from '#contract/search/reading-keys.ts'
import { saveResponse } from '#device/cache/responses.ts'
import { changePostIn } from './post-cache.ts'
import {
  cachedOf,
  cachedReading,
  error,
  latest,
  me,
  one,
  post,
} from '#src/domain/queries/testing/cached-reading.ts'

const reading = cachedReading()
const { openPage, readOnce } = reading

test('a post that was read is shown without network, with the age of its response', async () => {
  const it = post()
  await readOnce(it)
  const cached = await cachedOf(one(it.id).queryKey)
  reading.server = () => undefined
  const client = openPage()
  expect(await client.ensureQueryData(one(it.id))).toEqual(it)
  await expect
    .poll(() => client.getQueryState(one(it.id).queryKey))
    .toMatchObject({
      dataUpdatedAt: cached?.at,
      isInvalidated: true,
      error: { code: 'offline' },
    })
  expect(await cachedOf(one(it.id).queryKey)).toEqual(cached)
})

test('a post that was never read is not shown without network', async () => {
  await expect(openPage().ensureQueryData(one(newId()))).rejects.toMatchObject({ code: 'offline' })
})

test('a fast reply is shown without the cached response', async () => {
  const it = post()
  await readOnce(it)
  reading.server = () => Response.json({ ...it, liked: true })
  expect(await openPage().ensureQueryData(one(it.id))).toMatchObject({ liked: true })
})

test('the cached response is shown while the server is slow, then its reply', async () => {
  const it = post()
  await readOnce(it)
  let answer: (it: Response) => void = () => undefined
  let requests = 0
  reading.server = () => {
    requests++
    return new Promise<Response>((done) => (answer = done))
  }
  const client = openPage()
  expect(await client.ensureQueryData(one(it.id))).toMatchObject({ liked: false })
  answer(Response.json({ ...it, liked: true }))
  await expect.poll(() => client.getQueryData(one(it.id).queryKey)).toMatchObject({ liked: true })
  expect(requests).toBe(1)
  expect(client.getQueryState(one(it.id).queryKey)).toMatchObject({ error: null, isInvalidated: false })
})

test('cached pages of a list are shown as the reader scrolls to them', async () => {
  const pages = [
    { posts: [post()], next: 'c1', head: 'h' },
    { posts: [post()], next: null, head: 'h2' },
  ]
  reading.server = (url) => Response.json(url.includes('cursor=c1') ? pages[1] : pages[0])
  const before = new InfiniteQueryObserver(openPage(), latest)
  const stop = before.subscribe(() => undefined)
  await expect.poll(() => before.getCurrentResult().isSuccess).toBe(true)
  await before.fetchNextPage()
  await expect
    .poll(async () => (await cachedOf(latest.queryKey))?.value)
    .toMatchObject({ pages: [{ next: 'c1' }, { next: null }] })
  stop()
  reading.server = () => undefined
  const after = new InfiniteQueryObserver(openPage(), latest)
  const leave = after.subscribe(() => undefined)
  await expect.poll(() => after.getCurrentResult().data?.pages).toEqual([pages[0]])
  await expect.poll(() => after.getCurrentResult().isRefetchError).toBe(true)
  // The displayed first pages do not replace the cached list.
  const other = post()
  await saveResponse({ ownerId: me, key: responseKey(one(other.id).queryKey), value: other, at: Date.now() })
  await reading.clients[1]?.ensureQueryData(one(other.id))
  changePostIn(reading.clients[1] ?? openPage(), other.id, (old) => ({ ...old, liked: true }))
  await expect
    .poll(async () => (await cachedOf(one(other.id).queryKey))?.value)
    .toMatchObject({ liked: true })
  const age = after.getCurrentResult().dataUpdatedAt
  await after.fetchNextPage()
  expect(after.getCurrentResult().data?.pages).toEqual(pages)
  // Fetching a further page does not make the list newer.
  await expect.poll(() => after.getCurrentResult()).toMatchObject({ dataUpdatedAt: age, isStale: true })
  leave()
})

test('leaving a page does not cancel a cached read of the page that opens', async () => {
  let answer: (it: Response) => void = () => undefined
  reading.server = () => new Promise<Response>((done) => (answer = done))
  const client = openPage()
  const leave = new InfiniteQueryObserver(client, latest).subscribe(() => undefined)
  const opened = client.ensureInfiniteQueryData(latest)
  leave()
  answer(Response.json({ posts: [], next: null, head: null }))
  expect(await opened).toMatchObject({ pages: [{ next: null }] })
})

test('the cached response is shown when the server fails', async () => {
  const it = post()
  await readOnce(it)
  reading.server = () => error(503, 'unavailable')
  expect(await openPage().ensureQueryData(one(it.id))).toEqual(it)
})

test('a cached response of another app version is not shown', async () => {
  const key = responseKey(one('x').queryKey)
  await saveResponse({ ownerId: me, key, value: { id: 'x', heading: 'old' }, at: Date.now() })
  await expect(openPage().ensureQueryData(one('x'))).rejects.toMatchObject({ code: 'offline' })
})

test('a cached response is requested again as soon as it is displayed', async () => {
  const it = post()
  await readOnce(it)
  reading.server = () => undefined
  const client = openPage()
  await client.ensureQueryData(one(it.id))
  await expect.poll(() => client.getQueryState(one(it.id).queryKey)?.error).not.toBeNull()
  reading.server = () => Response.json({ ...it, liked: true })
  const stop = new QueryObserver(client, one(it.id)).subscribe(() => undefined)
  await expect.poll(() => client.getQueryData(one(it.id).queryKey)).toMatchObject({ liked: true })
  stop()
})
