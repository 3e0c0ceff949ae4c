// Reading without network: what the device kept is shown while the server is away or slow, and goes when it says so.
import 'fake-indexeddb/auto'
import { InfiniteQueryObserver, type QueryClient, QueryObserver } from '@tanstack/react-query'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listFeed } from '#contract/posts/feed.ts'
import { newId } from '#contract/ids.ts'
import { getPost, type PostView } from '#contract/posts/posts.ts'
import { answerKey } from '#contract/search/reading-keys.ts'
import { getPrivacySettings } from '#contract/accounts/settings.ts'
import { listResponses, readResponse, saveResponse } from '#device/cache/responses.ts'
import { closeDatabase } from '#device/database/database.ts'
import { saveSession } from '#device/session/session.ts'
import { cacheResponses } from '#src/domain/offline/response-cache.ts'
import { bearer } from '#src/domain/api/api.ts'
import { changePostIn } from './post-cache.ts'
import { createQueryClient, pagesFor, queryFor } from '#src/domain/queries/query.ts'
import { UNCONFIRMED_MS } from '#device/cache/access-expiry.ts'

const me = newId()
const author = newId()
const post = (over: Partial<PostView> = {}): PostView => ({
  id: newId(),
  author: { id: author, name: '蓮', handle: null, avatar_url: null },
  type: 1,
  is_age_limited: false,
  created_at: '2026-03-05T03:30:00.000Z',
  released_at: '2026-03-05T03:30:00.000Z',
  edited_at: null,
  counts: { likes: 0, comments: 0 },
  liked: false,
  access: { is: 'full', content: 'こんにちは', mentions: [], media: [] },
  ...over,
})
const one = (id: string) => queryFor(getPost, { params: { post_id: id } })
const latest = pagesFor(listFeed, { params: { kind: 'latest' }, query: {} })
const error = (status: number, code: string) => Response.json({ error: { code } }, { status })

/** Answers by the address asked for; without an answer there is no network. */
let server: (url: string) => Response | Promise<Response> | undefined
let clients: QueryClient[] = []

/** A page that is opened anew: nothing in memory, the device as it was. */
function openPage(): QueryClient {
  const client = createQueryClient()
  cacheResponses(client)
  clients.push(client)
  return client
}
const keptOf = (queryKey: readonly unknown[]) => readResponse(me, answerKey(queryKey))

beforeEach(async () => {
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('fetch', async (url: string) => {
    const answer = server(url)
    if (!answer) throw new TypeError('no network')
    return answer
  })
  server = () => undefined
  bearer.token = 'a'
  await saveSession({
    token: 'a',
    user: { id: me, email: 'a@example.com', name: '葵', avatar_url: null, role: 'member' },
  })
})
afterEach(async () => {
  for (const client of clients) client.clear()
  clients = []
  bearer.token = undefined
  vi.unstubAllGlobals()
  await closeDatabase()
  await deleteDB('todoke')
})

/** Reads a post online and waits until the device has it. */
async function readOnce(it: PostView): Promise<void> {
  server = () => Response.json(it)
  await openPage().ensureQueryData(one(it.id))
  await vi.waitFor(async () => expect(await keptOf(one(it.id).queryKey)).toBeDefined())
}

test('a post that was read is there without network, as old as it is', async () => {
  const it = post()
  await readOnce(it)
  const kept = await keptOf(one(it.id).queryKey)
  server = () => undefined
  const client = openPage()
  expect(await client.ensureQueryData(one(it.id))).toEqual(it)
  await vi.waitFor(() =>
    expect(client.getQueryState(one(it.id).queryKey)).toMatchObject({
      dataUpdatedAt: kept?.at,
      isInvalidated: true,
      error: { code: 'offline' },
    }),
  )
  expect(await keptOf(one(it.id).queryKey)).toEqual(kept)
})

test('what was never read is not there without network', async () => {
  await expect(openPage().ensureQueryData(one(newId()))).rejects.toMatchObject({ code: 'offline' })
})

test('a server that answers at once is believed alone', async () => {
  const it = post()
  await readOnce(it)
  server = () => Response.json({ ...it, liked: true })
  expect(await openPage().ensureQueryData(one(it.id))).toMatchObject({ liked: true })
})

test('a slow server is not waited for: what was read before is shown, and then what it says', async () => {
  const it = post()
  await readOnce(it)
  let answer: (it: Response) => void = () => undefined
  let asked = 0
  server = () => {
    asked++
    return new Promise<Response>((done) => (answer = done))
  }
  const client = openPage()
  expect(await client.ensureQueryData(one(it.id))).toMatchObject({ liked: false })
  answer(Response.json({ ...it, liked: true }))
  await vi.waitFor(() => expect(client.getQueryData(one(it.id).queryKey)).toMatchObject({ liked: true }))
  expect(asked).toBe(1)
  expect(client.getQueryState(one(it.id).queryKey)).toMatchObject({ error: null, isInvalidated: false })
})

test('pages of a list come back as they are scrolled to', async () => {
  const pages = [
    { posts: [post()], next: 'c1', head: 'h' },
    { posts: [post()], next: null, head: 'h2' },
  ]
  server = (url) => Response.json(url.includes('cursor=c1') ? pages[1] : pages[0])
  const before = new InfiniteQueryObserver(openPage(), latest)
  const stop = before.subscribe(() => undefined)
  await vi.waitFor(() => expect(before.getCurrentResult().isSuccess).toBe(true))
  await before.fetchNextPage()
  await vi.waitFor(async () => {
    expect((await keptOf(latest.queryKey))?.value).toMatchObject({ pages: [{ next: 'c1' }, { next: null }] })
  })
  stop()
  server = () => undefined
  const after = new InfiniteQueryObserver(openPage(), latest)
  const leave = after.subscribe(() => undefined)
  await vi.waitFor(() => expect(after.getCurrentResult().data?.pages).toEqual([pages[0]]))
  await vi.waitFor(() => expect(after.getCurrentResult().isRefetchError).toBe(true))
  // What is shown of it so far does not take the place of the whole.
  const other = post()
  await saveResponse({ ownerId: me, key: answerKey(one(other.id).queryKey), value: other, at: Date.now() })
  await clients[1]?.ensureQueryData(one(other.id))
  changePostIn(clients[1] ?? openPage(), other.id, (old) => ({ ...old, liked: true }))
  await vi.waitFor(async () =>
    expect((await keptOf(one(other.id).queryKey))?.value).toMatchObject({ liked: true }),
  )
  const age = after.getCurrentResult().dataUpdatedAt
  await after.fetchNextPage()
  expect(after.getCurrentResult().data?.pages).toEqual(pages)
  // Nor is it any newer for having been read on.
  await vi.waitFor(() =>
    expect(after.getCurrentResult()).toMatchObject({ dataUpdatedAt: age, isStale: true }),
  )
  leave()
})

test('a page that is left does not take a kept read from the page that is opened', async () => {
  let answer: (it: Response) => void = () => undefined
  server = () => new Promise<Response>((done) => (answer = done))
  const client = openPage()
  const leave = new InfiniteQueryObserver(client, latest).subscribe(() => undefined)
  const opened = client.ensureInfiniteQueryData(latest)
  leave()
  answer(Response.json({ posts: [], next: null, head: null }))
  expect(await opened).toMatchObject({ pages: [{ next: null }] })
})

test.each([
  [404, 'not_found'],
  [410, 'gone'],
  [403, 'forbidden'],
] as const)('what the server answers with %s %s goes from the device', async (status, code) => {
  const it = post()
  await readOnce(it)
  server = () => error(status, code)
  await expect(openPage().ensureQueryData(one(it.id))).rejects.toMatchObject({ code })
  await vi.waitFor(async () => expect(await keptOf(one(it.id).queryKey)).toBeUndefined())
})

test('a server in trouble is no reason to show nothing', async () => {
  const it = post()
  await readOnce(it)
  server = () => error(503, 'unavailable')
  expect(await openPage().ensureQueryData(one(it.id))).toEqual(it)
})

test('a refused session shows nothing that was kept', async () => {
  const it = post()
  await readOnce(it)
  server = () => error(401, 'unauthenticated')
  await expect(openPage().ensureQueryData(one(it.id))).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('whoever speaks with another token is shown nothing of it, and nothing is kept for them', async () => {
  const it = post()
  await readOnce(it)
  bearer.token = 'b'
  server = () => undefined
  await expect(openPage().ensureQueryData(one(it.id))).rejects.toMatchObject({ code: 'offline' })
  const other = post()
  server = () => Response.json(other)
  const client = openPage()
  await client.ensureQueryData(one(other.id))
  window.dispatchEvent(new Event('pagehide'))
  await vi.waitFor(async () => expect(await listResponses(me)).toHaveLength(1))
})

test('an endpoint that does not say so keeps nothing', async () => {
  server = () => Response.json({ message_from: 'everyone', shows_age_limited: true, shows_share_card: true })
  const query = queryFor(getPrivacySettings, {})
  const client = openPage()
  await client.ensureQueryData(query)
  const it = post()
  server = () => Response.json(it)
  await client.ensureQueryData(one(it.id))
  await vi.waitFor(async () => expect(await listResponses(me)).toHaveLength(1))
  server = () => undefined
  await expect(openPage().ensureQueryData(query)).rejects.toMatchObject({ code: 'offline' })
  expect(await listResponses(me)).toMatchObject([{ value: { id: it.id } }])
})

test('an answer of another version of the app is not shown', async () => {
  const key = answerKey(one('x').queryKey)
  await saveResponse({ ownerId: me, key, value: { id: 'x', heading: 'old' }, at: Date.now() })
  await expect(openPage().ensureQueryData(one('x'))).rejects.toMatchObject({ code: 'offline' })
})

test('an act of one’s own is kept with what it changes, and makes it no newer', async () => {
  const it = post()
  await readOnce(it)
  const before = await keptOf(one(it.id).queryKey)
  server = () => undefined
  const client = openPage()
  await client.ensureQueryData(one(it.id))
  await vi.waitFor(() => expect(client.getQueryState(one(it.id).queryKey)?.error).not.toBeNull())
  changePostIn(client, it.id, (old) => ({ ...old, liked: true }))
  expect(client.getQueryState(one(it.id).queryKey)).toMatchObject({
    isInvalidated: true,
    dataUpdatedAt: before?.at,
  })
  await vi.waitFor(async () =>
    expect(await keptOf(one(it.id).queryKey)).toMatchObject({ value: { liked: true }, at: before?.at }),
  )
})

test('what a plan opened is not shown for long without a word of the server; what is open is', async () => {
  const gated = post({ type: 2 })
  const open = post()
  const own = post({ type: 3, author: { id: me, name: '葵', handle: null, avatar_url: null } })
  for (const it of [gated, open, own]) await readOnce(it)
  const later = (it: PostView, ms: number) =>
    readResponse(me, answerKey(one(it.id).queryKey), Date.now() + ms)
  expect(await later(gated, UNCONFIRMED_MS - 5000)).toBeDefined()
  expect(await later(gated, UNCONFIRMED_MS)).toBeUndefined()
  expect(await later(open, UNCONFIRMED_MS)).toBeDefined()
  expect(await later(own, UNCONFIRMED_MS)).toBeDefined()
})

test('with the network back, what a plan opened is asked for again and goes where it is closed', async () => {
  const [refunded, paid, open] = [post({ type: 3 }), post({ type: 3 }), post()]
  const at = Date.now() - 3600_000
  for (const it of [refunded, paid, open])
    await saveResponse({ ownerId: me, key: answerKey(one(it.id).queryKey), value: it, at })
  const list = { pages: [{ posts: [refunded, open], next: null, head: null }], pageParams: [null] }
  await saveResponse({ ownerId: me, key: answerKey(latest.queryKey), value: list, at })
  const asked: string[] = []
  server = (url) => {
    asked.push(url)
    return url.endsWith(refunded.id) ? error(404, 'not_found') : Response.json(paid)
  }
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.stubGlobal('navigator', { onLine: true })
  openPage()
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  await vi.waitFor(async () => {
    const left = (await listResponses(me)).map((it) => it.key)
    const kept = [one(open.id), one(paid.id), latest].map((it) => answerKey(it.queryKey))
    expect(left.toSorted()).toEqual(kept.toSorted())
  })
  expect((await keptOf(latest.queryKey))?.value).toMatchObject({ pages: [{ posts: [{ id: open.id }] }] })
  expect(asked).toHaveLength(2)
})

test('a page that shows a kept answer asks again as soon as it is seen by somebody', async () => {
  const it = post()
  await readOnce(it)
  server = () => undefined
  const client = openPage()
  await client.ensureQueryData(one(it.id))
  await vi.waitFor(() => expect(client.getQueryState(one(it.id).queryKey)?.error).not.toBeNull())
  server = () => Response.json({ ...it, liked: true })
  const stop = new QueryObserver(client, one(it.id)).subscribe(() => undefined)
  await vi.waitFor(() => expect(client.getQueryData(one(it.id).queryKey)).toMatchObject({ liked: true }))
  stop()
})
