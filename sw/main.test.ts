// Tests the worker's events: what each does, and what its waitUntil waits for.
import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { ConversationView } from '#contract/messages/conversations.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import { saveSession } from '#device/session/session.ts'
import { SYNC_TAG } from './sync.ts'
import {
  type Handler,
  ORIGIN,
  aoi,
  gate,
  isPending,
  json,
  manifest,
  publishing,
  queuePost,
  runMain,
} from './testing/run-main.ts'

const { worker, server, fire, calls, shown, pages } = runMain()

const html = (body: string) => new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } })

const built: Handler = (url) =>
  url.pathname === '/index.html'
    ? html('the file /index.html<script src="/assets/app-1.js"></script>')
    : new Response(`the file ${url.pathname}`, { headers: { 'content-type': 'text/javascript' } })

test.each(manifest)(
  'install fails when a captive portal answers for $url, which is not cached',
  async ({ url }) => {
    server.answer = (requested, init) =>
      requested.pathname === url ? html('<title>Wi-Fiへようこそ</title>') : built(requested, init)
    await expect(fire('install').done).rejects.toThrow('failed with an HTTP status of 200')
    const cached = await Promise.all(
      (await worker.scope.caches.keys()).map(async (it) => (await worker.scope.caches.open(it)).keys()),
    )
    expect(cached.flat().map((it) => new URL(it.url).pathname)).not.toContain(url)
  },
)

// Another script in place of a script cannot be detected by its response: only TLS prevents it.
test.each([
  ['/index.html', 'text/javascript', 'location.href = "http://portal.example/login"'],
  ['/index.html', 'text/html', '<script>location.href = "http://portal.example/login"</script>'],
  ['/assets/app-1.js', 'text/html', '<script src="/assets/app-1.js"></script>'],
  ['/assets/app-1.js', 'application/json', 'location.href = "http://portal.example/login"'],
])('install fails when a captive portal answers %s with a script of type %s', async (path, type, body) => {
  for (const it of await worker.scope.caches.keys()) await worker.scope.caches.delete(it)
  server.answer = (requested, init) =>
    requested.pathname === path
      ? new Response(body, { headers: { 'content-type': type } })
      : built(requested, init)
  await expect(fire('install').done).rejects.toThrow('failed with an HTTP status of 200')
  const cached = await Promise.all(
    (await worker.scope.caches.keys()).map(async (it) => (await worker.scope.caches.open(it)).keys()),
  )
  expect(cached.flat().map((it) => new URL(it.url).pathname)).not.toContain(path)
})

const emptyConversation = (userId: string): ConversationView => ({
  conversation_id: newId(),
  person: { id: userId, name: '花子', handle: null, avatar_url: null },
  may_write: 'open',
  is_request: false,
  last_seq: 0,
  last_change: 0,
  last_deletion: 0,
  read_seq: 0,
  cleared_seq: 0,
  marks: null,
  unread: 0,
  pinned: false,
  muted: false,
  archived: false,
})

test('install waits until every built file is cached, and does not take over from the version before it', async () => {
  server.answer = built
  const { isExtended, done } = fire('install')
  expect(isExtended).toBe(true)
  await done
  const keys = await Promise.all(
    (await worker.scope.caches.keys()).map(async (it) => (await worker.scope.caches.open(it)).keys()),
  )
  expect(keys.flat().map((it) => new URL(it.url).pathname)).toEqual(manifest.map((it) => it.url))
  expect(calls).toEqual([])
})

test('activate claims the pages and sends them tick, without waiting for a delivery', async () => {
  const open = gate(server, publishing)
  const jobId = await queuePost()
  const posted: unknown[] = []
  pages.push({ visibilityState: 'hidden', postMessage: (it) => void posted.push(it) })
  const { isExtended, done } = fire('activate')
  expect(isExtended).toBe(true)
  await done
  expect([calls, posted]).toEqual([['claim'], [{ type: 'tick' }]])
  expect((await listJobs(aoi.id)).map((it) => it.id)).toEqual([jobId])
  open()
  await expect.poll(() => listJobs(aoi.id)).toEqual([])
})

test('fetch answers pages of the app from the cache, and leaves the API to the network', async () => {
  const navigate = (path: string) => {
    const request = new Request(ORIGIN + path)
    Object.defineProperty(request, 'mode', { value: 'navigate' })
    return fire('fetch', { request })
  }
  expect(await (await navigate('/post/1').response)?.text()).toMatch(/^the file \/index.html/)
  expect(
    await (await fire('fetch', { request: new Request(`${ORIGIN}/assets/app-1.js`) }).response)?.text(),
  ).toBe('the file /assets/app-1.js')
  for (const path of ['/api/export/zip', '/upload-chunking-2/1', '/ws/app', '/robots.txt'])
    expect(navigate(path).response).toBeUndefined()
})

test('push waits until the notification is shown', async () => {
  const { isExtended, done } = fire('push', { data: { text: () => 'no JSON' } })
  expect(isExtended).toBe(true)
  await done
  expect(shown.map((it) => it.title)).toEqual(['お知らせがあります'])
})

test('notificationclick closes the notice and waits until its page is open', async () => {
  let closed = 0
  const notification = { data: { path: '/post/1' }, close: () => void closed++ }
  const { isExtended, done } = fire('notificationclick', { notification, action: '' })
  expect(isExtended).toBe(true)
  await done
  expect([closed, calls]).toEqual([1, ['open /post/1']])
})

test('a reply typed on the notice of a conversation is sent by the queue, and the conversation is read', async () => {
  await saveSession({ token: 'secret', user: aoi })
  const other = newId()
  const view = { ...emptyConversation(other), last_seq: 3 }
  const sent: unknown[] = []
  server.answer = (url, init) => {
    if (url.pathname.endsWith('/badge')) return json({ count: 0 })
    if (init.method === 'PUT') return json(view)
    sent.push(JSON.parse(String(init.body)))
    return json({ data: null })
  }
  const conversation = { user_id: other, name: '花子', seq: 3 }
  const data = { path: `/chat-messages/${other}`, user_id: aoi.id, conversation }
  const press = { notification: { data, close: () => {} }, action: 'reply', reply: 'すぐ行きます' }
  await fire('notificationclick', press).done
  await expect.poll(() => sent).toEqual([{ id: expect.any(String), content: 'すぐ行きます', reply_to: null }])
  expect(server.requests).toEqual(
    expect.arrayContaining([
      `POST /api/conversations/${other}/messages`,
      `PUT /api/conversations/${other}/read`,
      'GET /api/notifications/badge',
    ]),
  )
  expect(calls.filter((it) => it.startsWith('open'))).toEqual([])
})

test('pushsubscriptionchange waits until the server has answered', async () => {
  await saveSession({ token: 'secret', user: aoi })
  const open = gate(server, () => json({ data: null }))
  const { isExtended, done } = fire('pushsubscriptionchange', {
    oldSubscription: null,
    newSubscription: null,
  })
  expect(isExtended).toBe(true)
  expect(await isPending(server, done)).toBe(true)
  open()
  await done
  expect(server.requests).toEqual(['DELETE /api/push/subscription'])
})

test('a sync event of another tag is ignored', async () => {
  await queuePost()
  expect(fire('sync', { tag: 'another' }).isExtended).toBe(false)
  await fire('sync', { tag: SYNC_TAG }).done
})

test('sync waits for the whole delivery, longer than any other event, and then succeeds', async () => {
  const open = gate(server, publishing)
  await queuePost()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { isExtended, done } = fire('sync', { tag: SYNC_TAG })
  expect(isExtended).toBe(true)
  let isOver = false
  void done.then(() => (isOver = true))
  // Other events end their `waitUntil` after 25 s; the request itself is aborted and repeated.
  for (let s = 0; s < 40; s++) {
    await vi.advanceTimersByTimeAsync(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(isOver).toBe(false)
  vi.useRealTimers()
  open()
  await done
  expect(await listJobs(aoi.id)).toEqual([])
})

test('after step-aside every event ends, and sync counts as failed', async () => {
  const open = gate(server, publishing)
  await queuePost()
  const delivery = fire('message', { data: { type: 'deliver' }, ports: [] })
  const sync = fire('sync', { tag: SYNC_TAG })
  expect(await isPending(server, Promise.all([delivery.done, sync.done]))).toBe(true)
  const answers: unknown[] = []
  const port = { postMessage: (it: unknown) => void answers.push(it) }
  await fire('message', { data: { type: 'step-aside' }, ports: [port] }).done
  expect(answers).toEqual([true])
  await delivery.done
  await expect(sync.done).rejects.toThrow('another version takes over')
  open()
})
