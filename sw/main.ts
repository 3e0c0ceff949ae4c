// The service worker's table of contents: every event, one call. The only file here that touches `self`.
import * as v from 'valibot'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { queueMutation, type NewMutation } from '#device/mutations/mutations.ts'
import { isForQueue, onChange } from '#device/database/changes.ts'
import { readProbe } from '#device/files/byte-form.ts'
import { saveResponse } from '#device/cache/responses.ts'
import { dropPicture, readPicture, savePicture, wantsPicture } from '#device/cache/pictures.ts'
import type { PushData } from '#contract/notifications/push-payload.ts'
import type { Session } from '#device/database/schema.ts'
import { readSession } from '#device/session/session.ts'
import { createApiCall } from './api-call.ts'
import { servePictures, serveShares, serveShell } from './cache.ts'
import { toWorker, type ToPage } from './messages.ts'
import { showPush } from './push.ts'
import { markRead } from './read.ts'
import { closeRead } from './close-read.ts'
import { serialNotifications } from './serial-notifications.ts'
import { renewSubscription, type SubscriptionChange } from './subscription.ts'
import { registerSync, SYNC_TAG } from './sync.ts'
import { storeMutations } from './store-mutations.ts'
import { createLifetime } from './queue/lifetime.ts'
import { createRunnerHere } from './queue/ports-here.ts'
import { prefetchTarget } from './prefetch.ts'
import { announce, clearNotices, openNotice, type Desktop } from './windows.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

/** A question beside the queue is given up after this, ms: the browser counts how long an event takes. */
const ASK_MS = 8000

const desktop: Desktop = {
  registration: serialNotifications(self.registration),
  clients: self.clients,
  permission: () => Notification.permission,
}
const runner = createRunnerHere(self.location.origin, (notice) => announce(desktop, notice))
const ask = createApiCall(self.location.origin, ASK_MS, (url, init) => fetch(url, init))
const pushes = {
  desktop,
  session: readSession,
  badge,
  warm: (data: PushData, session: Session) =>
    prefetchTarget({ ask, save: saveResponse, now: Date.now }, data, session),
  now: Date.now,
}
const lifetime = createLifetime(runner, tickPages, (error) => console.error('Upload error!', error))
/** Queues a mutation: it is tried at once, and when the network is back. */
async function store(userId: string, it: NewMutation): Promise<void> {
  await queueMutation(userId, it, Date.now())
  await registerSync(self.registration)
  void lifetime.hold()
}
/** The mutation of a message, whose names older builds use too. */
const mutationOf = ({
  act: mutation,
  ...rest
}: {
  id: string
  act: Mutation
  about: string
}): NewMutation => ({
  ...rest,
  mutation,
})
const later = (userId: string, mutation: Mutation) => store(userId, { mutation, about: '' })

serveShell(self.__WB_MANIFEST, { hasWasm: 'WebAssembly' in self, origin: self.location.origin })
serveShares()
servePictures({
  fetch: (request) => fetch(request),
  person: async () => (await readSession())?.user.id,
  wants: wantsPicture,
  save: savePicture,
  read: readPicture,
  drop: dropPicture,
  now: Date.now,
})

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
  const read = markRead({ ask, session: readSession, badge, later })
  event.waitUntil(openNotice(desktop, event.notification, event.action, read))
})

self.addEventListener('push', (event) => {
  event.waitUntil(showPush(pushes, event.data?.text()))
})

// TypeScript's library does not know this event.
self.addEventListener('pushsubscriptionchange' as 'activate', (event) => {
  const subscribe = (options: PushSubscriptionOptionsInit) => self.registration.pushManager.subscribe(options)
  event.waitUntil(
    renewSubscription(
      { ask, session: readSession, subscribe },
      event as ExtendableEvent & SubscriptionChange,
    ),
  )
})

onChange((change) => {
  if (isForQueue(change)) runner.wake()
  if (change.store === 'session') void meet()
})

// Any event may have started the worker: the queue continues. A waiting version does not touch it.
if (self.serviceWorker?.state === 'activated') void lifetime.hold()

async function hear(message: v.InferOutput<typeof toWorker>, port: MessagePort | undefined): Promise<void> {
  switch (message.type) {
    case 'deliver':
    case 'tock':
      return lifetime.hold()
    case 'nudge':
      return runner.nudge().then(lifetime.hold)
    case 'person':
      return meet()
    case 'read':
      return closeRead({ desktop, ask, session: readSession, now: Date.now }, message.ids)
    case 'acts':
      return storeMutations(
        { session: readSession, store },
        message.userId,
        message.acts.map(mutationOf),
      ).then(lifetime.hold)
    case 'probe':
      return port?.postMessage(await readProbe(message.key))
    case 'step-aside':
      lifetime.stepAside()
      return port?.postMessage(true)
    case 'take-over':
      return self.skipWaiting()
    default:
      message satisfies never
  }
}

/** Removes data of the previous person from what the signed-in one sees. */
async function meet(): Promise<void> {
  const session = await readSession()
  await clearNotices(desktop, session !== undefined)
  if (!session) await badge(0)
}

/** The number on the app's icon, where the system shows one. */
async function badge(unread: number): Promise<void> {
  const { navigator } = self
  if ('setAppBadge' in navigator) await navigator.setAppBadge(unread).catch(() => undefined)
}

async function tickPages(): Promise<void> {
  const tick: ToPage = { type: 'tick' }
  for (const page of await self.clients.matchAll({ type: 'window' })) page.postMessage(tick)
}
