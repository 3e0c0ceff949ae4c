// Clears a story's data from a browser, except the app's worker and its cached files.
import type { CDPSession } from '@playwright/test'
import type { Phone } from './phone.ts'
import { until } from '#e2e/rig/network/ports.ts'

/** As in sw/sync.ts. */
const SYNC_TAG = 'deliver'
const storageTypes =
  'cookies,file_systems,indexeddb,local_storage,shader_cache,websql,shared_storage,storage_buckets'

/** Events whose listeners a story may leave on the context. */
const events = [
  'console',
  'dialog',
  'page',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
] as const

interface Version {
  readonly versionId: string
  readonly registrationId: string
  readonly scriptURL: string
  readonly runningStatus: string
  readonly status: string
}

/** Follows the workers of a browser by its debugger, and waits for the first. */
async function versionsIn(debug: CDPSession): Promise<() => Version[]> {
  const versions = new Map<string, Version>()
  debug.on('ServiceWorker.workerVersionUpdated', (it) => {
    for (const version of it.versions) versions.set(version.versionId, version)
  })
  await debug.send('ServiceWorker.enable')
  const activeVersions = () => [...versions.values()].filter((it) => it.status !== 'redundant')
  await until(async () => (activeVersions().length > 0 ? true : undefined), 'a worker')
  return activeVersions
}

/** Stops every worker, as a browser does with an idle one. @returns the registration id of the active worker */
export async function stopWorkers(debug: CDPSession): Promise<string> {
  const versions = await versionsIn(debug)
  // An event that the browser had still to deliver, as of Background Sync, starts a stopped one again.
  const stopped = async () => {
    if (versions().every((it) => it.runningStatus === 'stopped')) return true
    await debug.send('ServiceWorker.stopAllWorkers')
    return undefined
  }
  await until(stopped, 'the worker to stop')
  const active = versions().find((it) => it.status === 'activated')
  if (!active) throw new Error('no worker is active')
  return active.registrationId
}

/** Fires the Background Sync event that the app registers for. */
export async function dispatchSync(debug: CDPSession, registrationId: string, origin: string): Promise<void> {
  await debug.send('ServiceWorker.dispatchSyncEvent', {
    origin,
    registrationId,
    tag: SYNC_TAG,
    lastChance: false,
  })
}

/** Runs in the worker: the caches and the number of files in each. */
async function readCaches(): Promise<[name: string, count: number][]> {
  const names = await caches.keys()
  return Promise.all(
    names.map(async (it): Promise<[string, number]> => [it, (await (await caches.open(it)).keys()).length]),
  )
}

/**
 * Closes all pages, clears all stored data, and stops the worker, so that its memory is cleared too.
 * @throws at once when no worker runs, because a story that has removed it leaves none to wait for
 */
export async function clearBrowser(phone: Phone, origin: string): Promise<void> {
  const { context } = phone
  if (context.serviceWorkers().length === 0) throw new Error('no worker runs')
  for (const it of events) context.removeAllListeners(it)
  phone.restartLog()
  const before = context.pages()
  const page = await context.newPage()
  for (const it of before) await it.close()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearCookies()
  context.setDefaultTimeout(phone.timeout)
  await phone.debugged(page, async (debug) => {
    await stopWorkers(debug)
    await debug.send('Storage.clearDataForOrigin', { origin, storageTypes })
    await debug.send('Network.clearBrowserCache')
  })
}

/**
 * Starts the worker again: a stopped one does not answer a debugger, and a story may have to intercept its requests.
 * @returns the worker's id, and the files it has cached
 */
export function startWorker(phone: Phone, origin: string): Promise<string> {
  return phone.debugged(phone.page, async (debug) => {
    const versions = await versionsIn(debug)
    await debug.send('ServiceWorker.startWorker', { scopeURL: `${origin}/` })
    const [worker] = phone.context.serviceWorkers()
    if (!worker) throw new Error('the browser has no worker')
    const files = await worker.evaluate(readCaches)
    const found = versions().map((it) => [it.registrationId, it.versionId, it.scriptURL, it.status])
    return JSON.stringify([found, files])
  })
}
