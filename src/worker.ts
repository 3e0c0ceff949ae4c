// The page's side of the worker: its start, its versions, and the queue behind it or, where there is none, in this page.
import * as v from 'valibot'
import { Workbox } from 'workbox-window'
import { readyMutations } from '#device/mutations/mutations.ts'
import { isForQueue, onChange } from '#device/database/changes.ts'
import { listDeliveries } from '#device/jobs/deliveries.ts'
import { readSession } from '#device/session/session.ts'
import { mayReload } from './lib/reload-guard.ts'
import { createStore } from './lib/store.ts'
import { takeOver } from './take-over.ts'
import { toPage, type ToPage, type ToWorker } from '#sw/messages.ts'
import { registerSync as askForSync } from '#sw/sync.ts'
import type { Runner } from '#sw/queue/runner.ts'
import { canContinue } from '#sw/queue/machines/machines.ts'

/** `background`: the browser wakes the worker with no page open. `open`: deliveries continue while the app is open. */
export type Promised = 'background' | 'open'

/** A new version is looked for this often, ms (specification section 9: hourly). */
const VERSION_MS = 60 * 60_000
/** A worker that does not answer within this does not answer, ms. */
const ANSWER_MS = 3000
const worker = import.meta.env.DEV
  ? { url: '/dev-sw.js?dev-sw', type: 'module' as const }
  : { url: '/sw.js', type: 'classic' as const }

let started: (registration: ServiceWorkerRegistration | undefined) => void
/** The app starts the worker once its first page is shown; earlier callers wait for that. */
const registered = new Promise<ServiceWorkerRegistration | undefined>((resolve) => (started = resolve))
let inPage: Promise<Runner> | undefined
const waiting = createStore(false)
let changing: Promise<boolean> | undefined

/** @param go shows the page a pressed notice leads to */
export function startWorker(go: (path: string) => void): void {
  void register(go).then(started)
}

/** What can be promised about a closed app on this browser. */
export async function promised(): Promise<Promised> {
  if (!(await registered) || !('SyncManager' in window)) return 'open'
  // The person may have turned background work off. TypeScript's library does not know this name.
  const permission = navigator.permissions.query({ name: 'background-sync' as PermissionName })
  const may = await permission.catch(() => undefined)
  return may?.state === 'denied' ? 'open' : 'background'
}

export const update = {
  /** Whether a new version waits. */
  waiting,
  /** There is a new version: its worker waits, or parts of this one are gone. */
  found: (): void => waiting.set(true),
  /**
   * Activates the new version; this page then reloads. An upload continues at its offset.
   * @returns false where that failed: the person may try again
   */
  async accept(): Promise<boolean> {
    const registration = await registered
    if (!registration?.waiting) return reloadOnce()
    changing ??= takeOver(registration).finally(() => (changing = undefined))
    return changing
  },
}

async function register(go: (path: string) => void): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return withoutWorker()
  navigator.serviceWorker.addEventListener('message', (event) => {
    const message = v.safeParse(toPage, event.data)
    if (!message.success) return
    hear(message.output, event.ports[0], go)
  })
  const workbox = new Workbox(worker.url, { type: worker.type })
  // The first worker takes control of a page without one; every later one is another version, accepted in any tab.
  let controlled = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (controlled) reloadOnce()
    controlled = true
  })
  try {
    const registration = await workbox.register({ immediate: true })
    if (registration) watchVersions(registration)
    void navigator.serviceWorker.ready.then(handOver)
    setInterval(() => void workbox.update().catch(() => undefined), VERSION_MS)
    return registration
  } catch (error) {
    console.warn('no service worker here', error)
    return withoutWorker()
  }
}

/**
 * Offers each version that waits. workbox-window stops looking after the second one of a page, and a version whose
 * installation failed counts as one.
 */
function watchVersions(registration: ServiceWorkerRegistration): void {
  const look = () => {
    if (registration.waiting && navigator.serviceWorker.controller) update.found()
  }
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', look),
  )
  look()
}

/** The queue runs in this page: its code comes now, for nothing brings it once the network is gone. */
function withoutWorker(): undefined {
  void runInPage().catch(() => undefined)
}

function hear(message: ToPage, port: MessagePort | undefined, go: (path: string) => void): void {
  switch (message.type) {
    case 'tick':
      return void say({ type: 'tock' })
    case 'go':
      port?.postMessage(true)
      return go(message.path)
    case 'looking': {
      const { pathname } = new URL(message.path, location.origin)
      return port?.postMessage(document.visibilityState === 'visible' && location.pathname === pathname)
    }
    default:
      message satisfies never
  }
}

/**
 * @returns false after a reload a moment ago
 */
function reloadOnce(): boolean {
  const may = mayReload(sessionStorage, Date.now())
  if (may) location.reload()
  return may
}

/** Lets the queue go on: by the worker or, where there is none, in this page. */
export function deliver(): Promise<void> {
  return say({ type: 'deliver' })
}

/** Says something to the worker of this page before this call ends; nothing where there is none. */
export function sayNow(message: ToWorker): void {
  navigator.serviceWorker?.controller?.postMessage(message)
}

/** Says something to the worker; what concerns the queue is done in this page where there is none. */
export async function say(message: ToWorker): Promise<void> {
  const active = await activeWorker()
  if (active) {
    // Deliveries that this page began without a worker continue in the worker.
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
  const controller = navigator.serviceWorker?.controller
  if (controller) return controller
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ANSWER_MS))
  return (await Promise.race([registered, late]))?.active ?? undefined
}

/** Whether something of the signed-in person's can go on by itself, now or later. */
export async function hasWork(): Promise<boolean> {
  const session = await readSession()
  const own = session?.user.id
  const unsent = own === undefined ? [] : [...(await readyMutations(own)), ...(await listDeliveries(own))]
  return unsent.some((job) => canContinue(job, Date.now()))
}

function runInPage(): Promise<Runner> {
  inPage ??= import('#sw/queue/ports-here.ts').then(({ createRunnerHere }) => {
    const runner = createRunnerHere(location.origin)
    onChange((change) => {
      if (isForQueue(change)) runner.wake()
    })
    return runner
  })
  // Not for good: the next one to want it asks again.
  inPage.catch(() => (inPage = undefined))
  return inPage
}

/** The first worker is at work: what was queued before it came is its own now. */
async function handOver(): Promise<void> {
  if (!(await hasWork())) return
  await registerSync()
  await deliver()
}

/** The browser wakes the worker for the queue when there is a network. */
export async function registerSync(): Promise<void> {
  const { controller, ready } = navigator.serviceWorker ?? {}
  await askForSync(await (controller ? ready : registered))
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
