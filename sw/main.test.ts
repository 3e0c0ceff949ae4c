// The worker's events: what each does, and what its waitUntil waits for.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { listMutations } from '#device/mutations/mutations.ts'
import { closeDatabase } from '#device/database/database.ts'
import { changeDraft, emptyDraft } from '#device/drafts/drafts.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import { clearSession, saveSession } from '#device/session/session.ts'
import { writeSetting } from '#device/session/settings.ts'
import { somebody, submitStored } from '#device/testing/user.ts'
import { workerGlobals, workerScope } from './testing/worker-scope.ts'
import { SYNC_TAG } from './sync.ts'

const ORIGIN = 'https://todoke.test'
const manifest = [
  { url: '/index.html', revision: 'one' },
  { url: '/assets/app-1.js', revision: null },
]
const worker = workerScope(manifest)
const { fire, said, shown, pages } = worker
const aoi = somebody('葵')
const POST = newId()

const channels: BroadcastChannel[] = []

type Answer = (url: URL, init: RequestInit) => Response | Promise<Response>
let answer: Answer = () => new Response('<!doctype html><title>とどけ</title>')
const asked: string[] = []

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'todoke-answer': '1' },
  })

/** The server's answers to a post of text. */
const publishing: Answer = (url) =>
  url.pathname === '/api/post/add'
    ? json({ data: [{ item: { id: POST, video_id: null } }] })
    : json({ data: { id: POST, released_at: '2026-03-05T03:30:00.000Z' } })

/** Answers that are held until `open` is called. */
function gate(then: Answer) {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  answer = async (url, init) => {
    await opened
    return then(url, init)
  }
  return open
}

const isPending = (work: Promise<unknown>) =>
  Promise.race([
    work.then(
      () => false,
      () => false,
    ),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 30)),
  ])

async function queuePost(): Promise<string> {
  await saveSession({ token: 'secret', user: aoi })
  const draft = await changeDraft(emptyDraft(aoi.id, 1), (it) => ({ ...it, content: '本文' }), 1)
  if (!draft) throw new Error('the draft was not stored')
  await submitStored(draft.id, aoi.id, 2)
  return draft.id
}

beforeAll(async () => {
  await closeDatabase()
  await deleteDB('todoke')
  vi.stubGlobal('self', worker.scope)
  for (const name of ['location', 'caches', 'navigator', 'registration', 'clients'] as const)
    vi.stubGlobal(name, worker.scope[name])
  vi.stubGlobal('Notification', { permission: 'granted' })
  for (const [name, it] of Object.entries(workerGlobals(ORIGIN))) vi.stubGlobal(name, it)
  vi.stubGlobal('fetch', async (input: Request | string, init: RequestInit = {}) => {
    const url = new URL(typeof input === 'string' ? input : input.url, ORIGIN)
    asked.push(`${init.method ?? 'GET'} ${url.pathname}`)
    return answer(url, init)
  })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { BroadcastChannel: Channel } = globalThis
  vi.stubGlobal(
    'BroadcastChannel',
    class extends Channel {
      constructor(name: string) {
        super(name)
        channels.push(this)
      }
    },
  )
  // As in a browser: the worker has modules of its own, and hears of changes through the channel.
  vi.resetModules()
  await import('./main.ts')
  vi.stubGlobal('BroadcastChannel', Channel)
})
afterAll(async () => {
  // Modules outlive the file: this worker must hear nothing of the tests after it.
  for (const it of channels) it.close()
  // Nor may they be given its modules, whose channels are closed.
  vi.resetModules()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await closeDatabase()
  await deleteDB('todoke')
})
beforeEach(async () => {
  answer = publishing
  said.length = 0
  shown.length = 0
  pages.length = 0
  asked.length = 0
  await clearSession()
})

const html = (body: string) => new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } })
const built: Answer = (url) =>
  url.pathname === '/index.html'
    ? html('the file /index.html<script src="/assets/app-1.js"></script>')
    : new Response(`the file ${url.pathname}`, { headers: { 'content-type': 'text/javascript' } })

test.each(manifest)(
  'install fails where a captive portal answers for $url, which is not kept',
  async ({ url }) => {
    answer = (asking, init) =>
      asking.pathname === url ? html('<title>Wi-Fiへようこそ</title>') : built(asking, init)
    await expect(fire('install').done).rejects.toThrow('failed with an HTTP status of 200')
    const kept = await Promise.all(
      (await worker.scope.caches.keys()).map(async (it) => (await worker.scope.caches.open(it)).keys()),
    )
    expect(kept.flat().map((it) => new URL(it.url).pathname)).not.toContain(url)
  },
)

test('install waits until every built file is kept, and leaves the version before it in charge', async () => {
  answer = built
  const { isExtended, done } = fire('install')
  expect(isExtended).toBe(true)
  await done
  const keys = await Promise.all(
    (await worker.scope.caches.keys()).map(async (it) => (await worker.scope.caches.open(it)).keys()),
  )
  expect(keys.flat().map((it) => new URL(it.url).pathname)).toEqual(manifest.map((it) => it.url))
  expect(said).toEqual([])
})

test('activate takes the pages over and asks them, and does not wait for a delivery', async () => {
  const open = gate(publishing)
  const jobId = await queuePost()
  const heard: unknown[] = []
  pages.push({ visibilityState: 'hidden', postMessage: (it) => void heard.push(it) })
  const { isExtended, done } = fire('activate')
  expect(isExtended).toBe(true)
  await done
  expect([said, heard]).toEqual([['claim'], [{ type: 'tick' }]])
  expect((await listJobs(aoi.id)).map((it) => it.id)).toEqual([jobId])
  open()
  await expect.poll(() => listJobs(aoi.id)).toEqual([])
})

test('fetch answers pages of the app from what is kept, and leaves the API to the network', async () => {
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

for (const type of ['deliver', 'tock', 'nudge'] as const)
  test(`the message ${type} is extended until what waits was sent`, async () => {
    const open = gate(publishing)
    await queuePost()
    const { isExtended, done } = fire('message', { data: { type }, ports: [] })
    expect(isExtended).toBe(true)
    expect(await isPending(done)).toBe(true)
    open()
    await done
    expect(asked).toEqual(['POST /api/post/add', `POST /api/post/release-uploaded/${POST}`])
    expect(await listJobs(aoi.id)).toEqual([])
  })

test('the message nudge ends the wait between two tries', async () => {
  let tries = 0
  answer = (url, init) => (++tries <= 4 ? new Response('', { status: 502 }) : publishing(url, init))
  await queuePost()
  void fire('message', { data: { type: 'deliver' }, ports: [] })
  // The third wait takes 3 s.
  await expect.poll(() => tries, { timeout: 10_000 }).toBe(3)
  await Promise.all([
    fire('message', { data: { type: 'nudge' }, ports: [] }).done,
    (async () => {
      await expect.poll(() => tries, { timeout: 1500 }).toBe(4)
      await fire('message', { data: { type: 'nudge' }, ports: [] }).done
    })(),
  ])
  expect(await listJobs(aoi.id)).toEqual([])
})

test('the message person takes notices away that are another person’s', async () => {
  await worker.scope.registration.showNotification('前の人への通知', { tag: `notification-${newId()}` })
  await fire('message', { data: { type: 'person' }, ports: [] }).done
  expect(shown).toEqual([])
})

test('the message read takes the notice of that line away', async () => {
  const [read, other] = [newId(), newId()]
  for (const id of [read, other])
    await worker.scope.registration.showNotification(id, { tag: `notification-${id}` })
  await fire('message', { data: { type: 'read', ids: [read] }, ports: [] }).done
  expect(shown.map((it) => it.title)).toEqual([other])
})

test('the message acts stores and sends what a page had no time for', async () => {
  await saveSession({ token: 'secret', user: aoi })
  answer = () => json({ data: { liked: true, likes: 1 } })
  const act = { name: 'likePost', params: { post_id: POST } } as const
  const data = { type: 'acts', userId: aoi.id, acts: [{ id: newId(), act, about: '会員' }] }
  await fire('message', { data, ports: [] }).done
  await expect.poll(() => listMutations(aoi.id)).toEqual([])
  expect(asked).toContain(`PUT /api/posts/${POST}/like`)
  expect(said).toContain(`sync ${SYNC_TAG}`)
})

test('the message probe answers with what the worker reads', async () => {
  await writeSetting('probe-of-a-test', new Blob(['todoke']))
  const heard: unknown[] = []
  const port = { postMessage: (it: unknown) => void heard.push(it) }
  await fire('message', { data: { type: 'probe', key: 'probe-of-a-test' }, ports: [port] }).done
  expect(heard).toEqual(['todoke'])
})

test('the message take-over puts the new version in charge', async () => {
  await fire('message', { data: { type: 'take-over' }, ports: [] }).done
  expect(said).toEqual(['skipWaiting'])
})

test('a message that is none of these is not extended', () => {
  expect(fire('message', { data: { type: 'else' }, ports: [] }).isExtended).toBe(false)
})

test('push waits until the notification is shown', async () => {
  const { isExtended, done } = fire('push', { data: { text: () => 'not ours' } })
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
  expect([closed, said]).toEqual([1, ['open /post/1']])
})

test('pushsubscriptionchange waits until the server knows', async () => {
  await saveSession({ token: 'secret', user: aoi })
  const open = gate(() => json({ data: null }))
  const { isExtended, done } = fire('pushsubscriptionchange', {
    oldSubscription: null,
    newSubscription: null,
  })
  expect(isExtended).toBe(true)
  expect(await isPending(done)).toBe(true)
  open()
  await done
  expect(asked).toEqual(['DELETE /api/push/subscription'])
})

test('a sync of another tag is left alone', async () => {
  await queuePost()
  expect(fire('sync', { tag: 'another' }).isExtended).toBe(false)
  await fire('sync', { tag: SYNC_TAG }).done
})

test('sync waits for the whole delivery, longer than any other event, and then succeeds', async () => {
  const open = gate(publishing)
  await queuePost()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { isExtended, done } = fire('sync', { tag: SYNC_TAG })
  expect(isExtended).toBe(true)
  let isOver = false
  void done.then(() => (isOver = true))
  // Other events let go after 25 s; the request itself is given up and repeated meanwhile.
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

test('a version that steps aside lets every event go, and sync counts as failed', async () => {
  const open = gate(publishing)
  await queuePost()
  const delivery = fire('message', { data: { type: 'deliver' }, ports: [] })
  const sync = fire('sync', { tag: SYNC_TAG })
  expect(await isPending(Promise.all([delivery.done, sync.done]))).toBe(true)
  const heard: unknown[] = []
  const port = { postMessage: (it: unknown) => void heard.push(it) }
  await fire('message', { data: { type: 'step-aside' }, ports: [port] }).done
  expect(heard).toEqual([true])
  await delivery.done
  await expect(sync.done).rejects.toThrow('another version takes over')
  open()
})
