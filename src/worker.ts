// Starts the service worker, updates it, and runs the queue without a worker.
import * as v from 'valibot'
import { Workbox } from 'workbox-window'
import { readyMutations } from '#device/mutations/mutations.ts'
import { isForQueue, onChange } from '#device/database/changes.ts'
import { listDeliveries } from '#device/jobs/deliveries.ts'
import { readSession } from '#device/session/session.ts'
import { mayReload } from './lib/reload-guard.ts'
import { createStore } from './lib/store.ts'
import { takeOver } from './take-over.ts'
import { watchVersions } from './watch-versions.ts'
import { toPage, type ToPage, type ToWorker } from '#sw/messages.ts'
import { registerSync as askForSync } from '#sw/sync.ts'
import type { Runner } from '#sw/queue/runner.ts'
import { canContinue } from '#sw/queue/machines/machines.ts'

/** `background`: the browser wakes the worker with no page open. `open`: deliveries continue while the app is open. */
export type DeliveryMode = 'background' | 'open'

/** Interval of checks for a new version, ms (specification section 9: hourly). */
const VERSION_MS = 60 * 60_000
/** Longest wait for a reply of the worker, ms. */
const ANSWER_MS = 3000
const worker = import.meta.env.DEV
  ? { url: '/dev-sw.js?dev-sw', type: 'module' as const }
  : { url: '/sw.js', type: 'classic' as const }

let started: (registration: ServiceWorkerRegistration | undefined) => void
/** Resolves when the worker is registered, after the first page is shown. */
const registered = new Promise<ServiceWorkerRegistration | undefined>((resolve) => (started = resolve))
let inPage: Promise<Runner> | undefined
const waiting = createStore(false)
let changing: Promise<boolean> | undefined

/** @param go opens the page of a pressed notice */
export function startWorker(go: (path: string) => void): void {
  void register(go).then(started)
}

/** Whether this browser delivers while the app is closed. */
export async function deliveryMode(): Promise<DeliveryMode> {
  if (!(await registered) || !('SyncManager' in window)) return 'open'
  // The person may have disabled background work. TypeScript's library lacks this name.
  const permission = navigator.permissions.query({ name: 'background-sync' as PermissionName })
  const may = await permission.catch(() => undefined)
  return may?.state === 'denied' ? 'open' : 'background'
}

export const update = {
  /** Whether a new version waits. */
  waiting,
  /** Reports a new version: its worker waits, or chunks of this version are missing. */
  found: (): void => waiting.set(true),
  /**
   * Activates the new version; this page then reloads. An upload continues at its offset.
   * @returns false when the activation failed, so that the person may try again
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
    onMessage(message.output, event.ports[0], go)
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
    if (registration)
      watchVersions(registration, () => {
        if (navigator.serviceWorker.controller) update.found()
      })
    void navigator.serviceWorker.ready.then(deliverEarlier)
    setInterval(() => void workbox.update().catch(() => undefined), VERSION_MS)
    return registration
  } catch (error) {
    console.warn('no service worker here', error)
    return withoutWorker()
  }
}

/** Loads the queue into this page now, since it cannot be loaded without network. */
function withoutWorker(): undefined {
  void runInPage().catch(() => undefined)
}

function onMessage(message: ToPage, port: MessagePort | undefined, go: (path: string) => void): void {
  switch (message.type) {
    case 'tick':
      return void post({ type: 'tock' })
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

/** Continues the queue, in the worker or else in this page. */
export function deliver(): Promise<void> {
  return post({ type: 'deliver' })
}

/** Posts a message to this page's worker synchronously, if there is one. */
export function postNow(message: ToWorker): void {
  navigator.serviceWorker?.controller?.postMessage(message)
}

/** Posts a message to the worker. Without a worker, this page runs the queue. */
export async function post(message: ToWorker): Promise<void> {
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

/** The active worker; undefined if it is not installed within a few seconds. */
async function activeWorker(): Promise<ServiceWorker | undefined> {
  const controller = navigator.serviceWorker?.controller
  if (controller) return controller
  const timeout = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ANSWER_MS))
  return (await Promise.race([registered, timeout]))?.active ?? undefined
}

/** Whether a job of the signed-in person can continue by itself, now or later. */
export async function hasWork(): Promise<boolean> {
  const session = await readSession()
  const own = session?.user.id
  const unsent = own === undefined ? [] : [...(await readyMutations(own)), ...(await listDeliveries(own))]
  return unsent.some((job) => canContinue(job, Date.now()))
}

function runInPage(): Promise<Runner> {
  inPage ??= import('#sw/queue/runtime-ports.ts').then(({ createDeviceRunner: createRunnerHere }) => {
    const runner = createRunnerHere(location.origin)
    onChange((change) => {
      if (isForQueue(change)) runner.wake()
    })
    return runner
  })
  // After a failure, the next call loads the queue again.
  inPage.catch(() => (inPage = undefined))
  return inPage
}

/** Delivers the earlier jobs by the first worker, now that it is active. */
async function deliverEarlier(): Promise<void> {
  if (!(await hasWork())) return
  await registerSync()
  await deliver()
}

/** The browser wakes the worker for the queue when there is a network. */
export async function registerSync(): Promise<void> {
  const { controller, ready } = navigator.serviceWorker ?? {}
  await askForSync(await (controller ? ready : registered))
}

/** The registration of the worker, once it is active; undefined without one. */
export async function activeRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return (await registered) && navigator.serviceWorker.ready
}

/** Lets the worker read the byte probe; undefined without a reply of a worker. */
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
