// Runs the service worker's main module in a scope that tests control.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { nextTask } from '#contract/testing/next-task.ts'
import { closeDatabase } from '#device/database/database.ts'
import { changeDraft, emptyDraft } from '#device/drafts/drafts.ts'
import { clearSession, saveSession } from '#device/session/session.ts'
import { newUser, submitStored } from '#device/testing/user.ts'
import { workerGlobals, workerScope } from './worker-scope.ts'

export const ORIGIN = 'https://todoke.test'
export const manifest = [
  { url: '/index.html', revision: 'one' },
  { url: '/assets/app-1.js', revision: null },
]
export const aoi = newUser('葵')
export const POST = newId()

export type Handler = (url: URL, init: RequestInit) => Response | Promise<Response>

/** The server that gets the worker's requests. */
interface Server {
  answer: Handler
  /** Method and path of each request. */
  readonly requests: string[]
}

export const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'todoke-answer': '1' },
  })

/** The server's answers to a post of text. */
export const publishing: Handler = (url) =>
  url.pathname === '/api/post/add'
    ? json({ data: [{ item: { id: POST, video_id: null } }] })
    : json({ data: { id: POST, released_at: '2026-03-05T03:30:00.000Z' } })

/** Delays the server's answers until the returned function is called. */
export function gate(server: Server, answer: Handler) {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  server.answer = async (url, init) => {
    await opened
    return answer(url, init)
  }
  return open
}

/** Whether the work goes on once the server has a request that it has not answered. */
export async function isPending(server: Server, work: Promise<unknown>): Promise<boolean> {
  await vi.waitUntil(() => server.requests.length > 0, { timeout: 60_000 })
  const over = work.then(
    () => false,
    () => false,
  )
  return Promise.race([over, nextTask().then(() => true)])
}

export async function queuePost(): Promise<string> {
  await saveSession({ token: 'secret', user: aoi })
  const draft = await changeDraft(emptyDraft(aoi.id, 1), (it) => ({ ...it, content: '本文' }), 1)
  if (!draft) throw new Error('the draft was not stored')
  await submitStored(draft.id, aoi.id, 2)
  return draft.id
}

/** Closes what a worker has open: its modules outlive the test file, and must not receive events of later tests. */
async function stopWorker(
  worker: ReturnType<typeof workerScope>,
  channels: readonly BroadcastChannel[],
): Promise<void> {
  // A run that continues would open the database of later tests.
  const { port1, port2 } = new MessageChannel()
  await worker.fire('message', { data: { type: 'step-aside' }, ports: [port2] }).done
  for (const it of [port1, port2]) it.close()
  for (const name of ['todoke-drain', 'todoke-acts'])
    await worker.scope.navigator.locks.request(name, async () => undefined)
  for (const it of channels) it.close()
  // Awaits the work that a change of the session has begun, while the worker still has its globals.
  await worker.fire('message', { data: { type: 'person' }, ports: [] }).done
  // Later tests must not get these modules, whose channels are closed.
  vi.resetModules()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await closeDatabase()
  await deleteDB('todoke')
}

interface RunOptions {
  /** State of this version of the worker. */
  readonly state?: ServiceWorkerState
  /** Fills the device before the worker starts. */
  readonly prepare?: () => Promise<unknown>
}

/** Runs `sw/main.ts` for the tests of one file or one `describe`, in its own scope. */
export function runMain({ state = 'installing', prepare }: RunOptions = {}) {
  const worker = workerScope(manifest, state)
  const server: Server = { answer: publishing, requests: [] }
  const channels: BroadcastChannel[] = []
  beforeAll(async () => {
    await closeDatabase()
    await deleteDB('todoke')
    await prepare?.()
    vi.stubGlobal('self', worker.scope)
    for (const name of ['location', 'caches', 'navigator', 'registration', 'clients'] as const)
      vi.stubGlobal(name, worker.scope[name])
    vi.stubGlobal('Notification', { permission: 'granted' })
    for (const [name, it] of Object.entries(workerGlobals(ORIGIN))) vi.stubGlobal(name, it)
    vi.stubGlobal('fetch', async (input: Request | string, init: RequestInit = {}) => {
      const url = new URL(typeof input === 'string' ? input : input.url, ORIGIN)
      server.requests.push(`${init.method ?? 'GET'} ${url.pathname}`)
      return server.answer(url, init)
    })
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const Channel = BroadcastChannel
    vi.stubGlobal(
      'BroadcastChannel',
      class extends Channel {
        constructor(name: string) {
          super(name)
          channels.push(this)
        }
      },
    )
    // As in a browser: the worker has its own modules and receives changes through the channel.
    vi.resetModules()
    await import('#sw/main.ts')
    vi.stubGlobal('BroadcastChannel', Channel)
  })
  afterAll(() => stopWorker(worker, channels))
  afterEach(async () => {
    server.answer = publishing
    worker.calls.length = 0
    worker.shown.length = 0
    worker.pages.length = 0
    server.requests.length = 0
    await clearSession()
  })
  return { worker, server, ...worker }
}
