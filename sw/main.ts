// The service worker's table of contents: every event, one call. The only file here that touches `self`.
import * as v from 'valibot'
import { isForQueue, onChange } from '#device/changes.ts'
import { readProbe } from '#device/byte-form.ts'
import { readSession } from '#device/session.ts'
import { serveShell } from './cache.ts'
import { SYNC_TAG, toWorker, type ToPage } from './messages.ts'
import { makeRunner } from './upload/drain.ts'
import { makeLifetime } from './upload/lifetime.ts'
import { portsHere } from './upload/ports-here.ts'
import { announce, clearNotices, openNotice, type Desktop } from './windows.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

const desktop: Desktop = {
  registration: self.registration,
  clients: self.clients,
  permission: () => Notification.permission,
}
const runner = makeRunner({
  ...portsHere(self.location.origin),
  notify: (notice) => announce(desktop, notice),
})
const lifetime = makeLifetime(runner, tickPages, (error) => console.error('Upload error!', error))

serveShell(self.__WB_MANIFEST)

// Every page waits for this event to end: it only takes the pages over, and their answers hold the delivery.
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim().then(tickPages))
  void lifetime.hold()
})

self.addEventListener('message', (event) => {
  const message = v.safeParse(toWorker, event.data)
  if (message.success) event.waitUntil(hear(message.output, event.ports[0]))
})

// TypeScript's library does not know Background Sync.
self.addEventListener('sync' as 'activate', (event) => {
  if ((event as ExtendableEvent & { tag: string }).tag !== SYNC_TAG) return
  event.waitUntil(runner.nudge().then(lifetime.holdAll))
})

self.addEventListener('notificationclick', (event) => {
  event.waitUntil(openNotice(desktop, event.notification))
})

onChange((change) => {
  if (isForQueue(change)) runner.wake()
  if (change.store === 'session') void readSession().then((session) => session && clearNotices(desktop))
})

// The worker was started by some event: whatever that was, the queue goes on. A waiting version leaves it alone.
if (self.serviceWorker?.state === 'activated') void lifetime.hold()

async function hear(message: v.InferOutput<typeof toWorker>, port: MessagePort | undefined): Promise<void> {
  switch (message.type) {
    case 'deliver':
    case 'tock':
      return lifetime.hold()
    case 'nudge':
      return runner.nudge().then(lifetime.hold)
    case 'probe':
      return port?.postMessage(await readProbe(message.key))
    case 'step-aside':
      return lifetime.stepAside()
    case 'take-over':
      return self.skipWaiting()
    default:
      message satisfies never
  }
}

async function tickPages(): Promise<void> {
  const tick: ToPage = { type: 'tick' }
  for (const page of await self.clients.matchAll({ type: 'window' })) page.postMessage(tick)
}
