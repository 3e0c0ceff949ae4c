// The page's one door to the worker and its queue; where there is no worker, the queue runs behind this door.
import * as v from 'valibot'
import { Workbox } from 'workbox-window'
import { TUS_PATH } from '#contract/paths.ts'
import { setProbe } from '#device/byte-form.ts'
import { isForQueue, onChange } from '#device/changes.ts'
import { listDeliveries } from '#device/deliveries.ts'
import { beginEarly, holdEarly } from '#device/early.ts'
import { changeFacts, dropFile, dropJob, submitDraft, type Submission } from '#device/jobs.ts'
import { readSession } from '#device/session.ts'
import { SYNC_TAG, toPage, type ToWorker } from '#sw/messages.ts'
import type { Runner } from '#sw/upload/drain.ts'
import { apply, canCancel, type QueueEvent } from '#sw/upload/machine.ts'
import type { MeasureEnd, MeasureProgress } from '#sw/upload/measure.ts'
import { nextStep } from '#sw/upload/next-step.ts'

export { canCancel }
export type { MeasureEnd, MeasureProgress }

/** `background`: the browser wakes the worker with no page open. `open`: delivery goes on while the app is open. */
export type Promised = 'background' | 'open'

interface SyncManager {
  register(tag: string): Promise<void>
}

/** The queue is looked at this often while a page is open, ms. */
const WATCH_MS = 5000
/** A new version is looked for this often, ms (specification section 9: hourly). */
const VERSION_MS = 60 * 60_000
/** The page is not loaded anew twice within this, ms (specification section 9). */
const RELOAD_GUARD_MS = 10_000
/** A worker that does not answer within this does not answer, ms. */
const ANSWER_MS = 3000
/** Who wants to edit a post again does not wait longer than this for the server to take it back, ms. */
const WITHDRAWN_MS = 10_000

const worker = import.meta.env.DEV
  ? { url: '/dev-sw.js?dev-sw', type: 'module' as const }
  : { url: '/sw.js', type: 'classic' as const }

let registered: Promise<ServiceWorkerRegistration | undefined> | undefined
let inPage: Promise<Runner> | undefined
let heardAt = 0
let goTo: (path: string) => void = () => {}
let findPerson = () => Promise.resolve()
let waiting = false
const updateListeners = new Set<() => void>()

/**
 * Starts the worker, or the queue in this page, and keeps it going. Called once, by main.tsx.
 * @param go shows the page a pressed notice leads to
 * @param refresh finds out again who is signed in, and notes it on the device
 */
export function startQueue(go: (path: string) => void, refresh: () => Promise<void>): void {
  goTo = go
  findPerson = refresh
  registered ??= register()
  setProbe(probe)
  onChange((change) => {
    if (change.store === 'jobs' || change.store === 'early' || change.store === 'chunks') heardAt = Date.now()
    if (change.store === 'session') void deliver()
  })
  const back = () => void nudge()
  window.addEventListener('online', back)
  window.addEventListener('focus', back)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && back())
  setInterval(() => void watch().catch((error: unknown) => console.error(error)), WATCH_MS)
  void deliver()
}

/** A worker that was stopped in the middle says nothing: poke it. With nothing to deliver it may rest. */
async function watch(): Promise<void> {
  if (Date.now() - heardAt < WATCH_MS) return
  if (await hasWork()) await deliver()
}

/**
 * Sends the draft's files while it is still being written. Nothing is registered with the browser for it:
 * what was not submitted does not wake a closed app.
 */
export async function sendEarly(draftId: string, ownerId: string): Promise<void> {
  await beginEarly(draftId, ownerId, Date.now())
  await deliver()
}

export { holdEarly }

/** Queues a draft and starts delivering it. A second call for the same draft changes nothing. */
export async function submit(draftId: string, ownerId: string): Promise<Submission> {
  const end = await submitDraft(draftId, ownerId, Date.now())
  if (end.is === 'submitted') {
    // The browser may have cleared the device under this open page: the queue needs its person again.
    if (!(await readSession())) void findPerson()
    // It is stored: whoever delivers it, the person need not wait for that.
    void registerSync()
    void deliver()
  }
  return end
}

/** Something a waiting job needs is there now: try at once. */
export function nudge(): Promise<void> {
  return say({ type: 'nudge' })
}

/** Tells the machine what the person did to a job: paused, resumed, retried, cancelled. */
export async function tellJob(
  jobId: string,
  event: Extract<QueueEvent, { type: 'paused' | 'resumed' | 'retried' | 'cancelled' | 'fileCancelled' }>,
): Promise<void> {
  if (event.type === 'fileCancelled') await dropFile(jobId, event.mediaId, (facts) => apply(facts, event))
  else await changeFacts(jobId, (facts) => apply(facts, event))
  await deliver()
}

/**
 * Takes a failed job back into the editor; a post that was added meanwhile is taken back first.
 * @returns false when the server has not taken it back yet: the draft comes back later
 */
export async function editAgain(jobId: string): Promise<boolean> {
  const job = await changeFacts(jobId, (facts) => apply(facts, { type: 'cancelled', keep: true }))
  if (!job?.facts.post) {
    await dropJob(jobId)
    return true
  }
  const gone = goneWithin(jobId, WITHDRAWN_MS)
  await deliver()
  return gone
}

/** Whether the queue drops a job within `ms`. */
function goneWithin(jobId: string, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (gone: boolean) => {
      clearTimeout(timer)
      deaf()
      resolve(gone)
    }
    const timer = setTimeout(() => end(false), ms)
    const deaf = onChange((change) => {
      if (change.store !== 'jobs' || change.id !== jobId) return
      void changeFacts(jobId, (facts) => facts).then((job) => job ?? end(true))
    })
  })
}

/** What can be promised about a closed app on this browser. */
export async function promised(): Promise<Promised> {
  return (await registered) && 'SyncManager' in window ? 'background' : 'open'
}

/**
 * Sends bytes that become no post, by the queue's own protocol client, and removes them from the server again.
 * Runs in this page, so that it never waits behind posts on their way.
 */
export async function measureUpload(
  ownerId: string,
  bytes: Blob,
  onProgress: (progress: MeasureProgress) => void,
  signal: AbortSignal,
): Promise<MeasureEnd> {
  const [{ measure }, { clock }, { deviceStore }] = await Promise.all([
    import('#sw/upload/measure.ts'),
    import('#sw/upload/ports-here.ts'),
    import('#sw/upload/device-store.ts'),
  ])
  const endpoint = new URL(import.meta.env['VITE_UPLOAD_BASE'] ?? TUS_PATH, location.origin).href
  const caller = { fetch: (url: string, init: RequestInit) => fetch(url, init), clock, store: deviceStore }
  return measure({ ...caller, endpoint, ownerId }, bytes, onProgress, signal)
}

/** Whether a new version waits; for `useSyncExternalStore`. */
export const update = {
  subscribe(listener: () => void): () => void {
    updateListeners.add(listener)
    return () => void updateListeners.delete(listener)
  },
  isWaiting: (): boolean => waiting,
  /** Lets the new version take over; this page then loads anew. An upload goes on where it was. */
  accept(): void {
    void registered?.then((registration) => {
      registration?.active?.postMessage({ type: 'step-aside' } satisfies ToWorker)
      registration?.waiting?.postMessage({ type: 'take-over' } satisfies ToWorker)
    })
  },
}

async function register(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  navigator.serviceWorker.addEventListener('message', (event) => {
    const message = v.safeParse(toPage, event.data)
    if (!message.success) return
    if (message.output.type === 'tick') void say({ type: 'tock' })
    else goTo(message.output.path)
  })
  const workbox = new Workbox(worker.url, { type: worker.type })
  workbox.addEventListener('waiting', () => {
    waiting = true
    for (const listener of updateListeners) listener()
  })
  workbox.addEventListener('controlling', (event) => event.isUpdate && reloadOnce())
  try {
    const registration = await workbox.register({ immediate: true })
    void navigator.serviceWorker.ready.then(handOver)
    setInterval(() => void workbox.update().catch(() => undefined), VERSION_MS)
    return registration
  } catch (error) {
    console.warn('no service worker here', error)
    return undefined
  }
}

function reloadOnce(): void {
  const last = Number(sessionStorage.getItem('todoke-reloaded') ?? 0)
  if (Date.now() - last < RELOAD_GUARD_MS) return
  sessionStorage.setItem('todoke-reloaded', String(Date.now()))
  location.reload()
}

function deliver(): Promise<void> {
  return say({ type: 'deliver' })
}

async function say(message: ToWorker): Promise<void> {
  const active = await activeWorker()
  if (active) {
    // What this page began before there was a worker, the worker goes on with.
    if (inPage) (await inPage).halt()
    return active.postMessage(message)
  }
  if ((message.type !== 'nudge' && message.type !== 'deliver') || !(await hasWork())) return
  const runner = await runInPage()
  if (message.type === 'nudge') await runner.nudge()
  void runner.drain().catch((error: unknown) => console.error('Upload error!', error))
}

/** The worker, if one is at work; the first one may still be on its way over a slow line, or never arrive. */
async function activeWorker(): Promise<ServiceWorker | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ANSWER_MS))
  return (await Promise.race([registered, late]))?.active ?? undefined
}

/** Whether something of the signed-in person's can go on by itself, now or later. */
async function hasWork(): Promise<boolean> {
  const session = await readSession()
  const deliveries = session ? await listDeliveries(session.user.id) : []
  return deliveries.some(({ facts }) => {
    const step = nextStep(facts, Date.now())
    return step.do !== 'wait' || step.for === 'time'
  })
}

function runInPage(): Promise<Runner> {
  inPage ??= Promise.all([import('#sw/upload/drain.ts'), import('#sw/upload/ports-here.ts')]).then(
    ([{ makeRunner }, { portsHere }]) => {
      const runner = makeRunner(portsHere(location.origin))
      onChange((change) => {
        if (isForQueue(change)) runner.wake()
      })
      return runner
    },
  )
  return inPage
}

/** The first worker is at work: what was queued before it came is its own now. */
async function handOver(): Promise<void> {
  if (!(await hasWork())) return
  await registerSync()
  await deliver()
}

/** The page registers: a worker's own registration is refused when no page is open. */
async function registerSync(): Promise<void> {
  const registration: (ServiceWorkerRegistration & { sync?: SyncManager }) | undefined = await registered
  // Refused in private windows and where the person turned background work off: then it goes on while open.
  await registration?.sync?.register(SYNC_TAG).catch(() => undefined)
}

/** Lets the worker read the byte probe back; nothing when there is no worker or it does not answer. */
async function probe(key: string): Promise<string | undefined> {
  const active = await activeWorker()
  if (!active) return undefined
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ANSWER_MS)
    port1.addEventListener('message', (event: MessageEvent<string | undefined>) => {
      clearTimeout(timer)
      port1.close()
      resolve(event.data)
    })
    port1.start()
    const message: ToWorker = { type: 'probe', key }
    active.postMessage(message, [port2])
  })
}
