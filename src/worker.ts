// The page's side of the worker: its start, its versions, and the queue behind it or, where there is none, in this page.
import * as v from 'valibot'
import { Workbox } from 'workbox-window'
import { isForQueue, onChange } from '#device/changes.ts'
import { listDeliveries } from '#device/deliveries.ts'
import { readSession } from '#device/session.ts'
import { mayReload } from '#src/lib/reload-guard.ts'
import { SYNC_TAG, toPage, type ToWorker } from '#sw/messages.ts'
import type { Runner } from '#sw/upload/drain.ts'
import { nextStep } from '#sw/upload/next-step.ts'

/** `background`: the browser wakes the worker with no page open. `open`: delivery goes on while the app is open. */
export type Promised = 'background' | 'open'

interface SyncManager {
  register(tag: string): Promise<void>
}

/** A new version is looked for this often, ms (specification section 9: hourly). */
const VERSION_MS = 60 * 60_000
/** A worker that does not answer within this does not answer, ms. */
const ANSWER_MS = 3000
const worker = import.meta.env.DEV
  ? { url: '/dev-sw.js?dev-sw', type: 'module' as const }
  : { url: '/sw.js', type: 'classic' as const }

let registered: Promise<ServiceWorkerRegistration | undefined> | undefined
let inPage: Promise<Runner> | undefined
let waiting = false
const updateListeners = new Set<() => void>()

/** @param go shows the page a pressed notice leads to */
export function startWorker(go: (path: string) => void): void {
  registered ??= register(go)
}

/** What can be promised about a closed app on this browser. */
export async function promised(): Promise<Promised> {
  if (!(await registered) || !('SyncManager' in window)) return 'open'
  // The person may have turned background work off. TypeScript's library does not know this name.
  const asked = navigator.permissions.query({ name: 'background-sync' as PermissionName })
  const may = await asked.catch(() => undefined)
  return may?.state === 'denied' ? 'open' : 'background'
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

async function register(go: (path: string) => void): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  navigator.serviceWorker.addEventListener('message', (event) => {
    const message = v.safeParse(toPage, event.data)
    if (!message.success) return
    if (message.output.type === 'tick') void say({ type: 'tock' })
    else go(message.output.path)
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
  if (mayReload(sessionStorage, Date.now())) location.reload()
}

/** Lets the queue go on: by the worker or, where there is none, in this page. */
export function deliver(): Promise<void> {
  return say({ type: 'deliver' })
}

/** Says something to the worker; what concerns the queue is done in this page where there is none. */
export async function say(message: ToWorker): Promise<void> {
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
export async function hasWork(): Promise<boolean> {
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
export async function registerSync(): Promise<void> {
  const registration: (ServiceWorkerRegistration & { sync?: SyncManager }) | undefined = await registered
  // Refused in private windows and where the person turned background work off: then it goes on while open.
  await registration?.sync?.register(SYNC_TAG).catch(() => undefined)
}

/** Lets the worker read the byte probe back; nothing when there is no worker or it does not answer. */
export async function probe(key: string): Promise<string | undefined> {
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
