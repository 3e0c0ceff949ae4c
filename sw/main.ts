// The entry point of the service worker: each event calls one function. Only this file uses `self`.
import * as v from 'valibot'
import { pagesFrom } from '#contract/pages.ts'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { queueMutation, type NewMutation } from '#device/mutations/mutations.ts'
import { isForQueue, onChange } from '#device/database/changes.ts'
import { readProbe } from '#device/files/byte-form.ts'
import { readCopy } from '#device/cache/message-copies.ts'
import { saveResponse } from '#device/cache/responses.ts'
import { dropPicture, readPicture, savePicture, wantsPicture } from '#device/cache/pictures.ts'
import type { PushData } from '#contract/notifications/push-payload.ts'
import type { Session } from '#device/database/schema.ts'
import { listDeliveries } from '#device/jobs/deliveries.ts'
import type { FileJob } from '#device/jobs/job-rows.ts'
import { readSession } from '#device/session/session.ts'
import { createApiCall } from './api-call.ts'
import { onCarriedEnd, type CarriedEvent } from './carried-end.ts'
import { servePictures, serveShares, serveShell } from './cache.ts'
import { toWorker, type ToPage } from './messages.ts'
import { showPush } from './push.ts'
import { noticePorts } from './read.ts'
import { closeRead, closeReadConversations } from './close-read.ts'
import { serialNotifications } from './serial-notifications.ts'
import { renewSubscription, type SubscriptionChange } from './subscription.ts'
import { registerSync, SYNC_TAG } from './sync.ts'
import { storeMutations } from './store-mutations.ts'
import { createLifetime } from './queue/lifetime.ts'
import { createDeviceRunner } from './queue/runtime-ports.ts'
import { prefetchConversation, prefetchTarget } from './prefetch.ts'
import { backgroundFetches, carrierOf } from './queue/carrier.ts'
import { showDeliveryNotice, clearNotices, openNotice, openPage, type Desktop } from './windows.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

/** Time limit of a request outside the queue, ms: browsers limit the duration of an event. */
const API_TIMEOUT_MS = 8000

const desktop: Desktop = {
  registration: serialNotifications(self.registration),
  clients: self.clients,
  permission: () => Notification.permission,
}
const runner = createDeviceRunner(self.location.origin, {
  notify: (notice) => showDeliveryNotice(desktop, notice),
  carrier: carrierOf(backgroundFetches(self.registration)),
})
const callApi = createApiCall(self.location.origin, API_TIMEOUT_MS, (url, init) => fetch(url, init))
const reading = { desktop, callApi, session: readSession, now: Date.now }
const prefetching = { callApi, save: saveResponse, readCopy, now: Date.now }
const pushes = {
  ...reading,
  badge,
  closeConversations: (since: number) => closeReadConversations(reading, since),
  prefetch: (data: PushData, session: Session) => prefetchTarget(prefetching, data, session),
  prefetchConversation: (userId: string, session: Session) =>
    prefetchConversation(prefetching, userId, session),
}
const lifetime = createLifetime(runner, tickPages, (error) => console.error('Upload error!', error))
/** Queues a mutation, which is sent at once, or when the network is back. */
async function store(userId: string, mutation: NewMutation): Promise<void> {
  await queueMutation(userId, mutation, Date.now())
  await registerSync(self.registration)
  void lifetime.extend()
}
/** The mutation of a message; older builds use the same field names. */
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

/** Set by the build. */
const pageList = import.meta.env['VITE_PAGES']
serveShell(self.__WB_MANIFEST, {
  hasWasm: 'WebAssembly' in self,
  origin: self.location.origin,
  pages: pageList === undefined ? undefined : pagesFrom(JSON.parse(pageList) as string[]),
})
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

// Every page waits for the end of this event, so it only claims the pages; their `tock` answers extend the delivery.
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim().then(tickPages))
  void lifetime.extend()
})

self.addEventListener('message', (event) => {
  const message = v.safeParse(toWorker, event.data)
  if (message.success) event.waitUntil(handleMessage(message.output, event.ports[0]))
})

// TypeScript's library has no types for Background Sync.
self.addEventListener('sync' as 'activate', (event) => {
  if ((event as ExtendableEvent & { tag: string }).tag !== SYNC_TAG) return
  event.waitUntil(runner.nudge().then(lifetime.extendUntilEmpty))
})

// TypeScript's library has no types for Background Fetch.
for (const end of ['backgroundfetchsuccess', 'backgroundfetchfail', 'backgroundfetchabort'])
  self.addEventListener(end as 'activate', (event) => {
    const deliver = () => runner.nudge().then(lifetime.extendUntilEmpty)
    event.waitUntil(onCarriedEnd({ jobs: unpublishedJobs, deliver }, event as ExtendableEvent & CarriedEvent))
  })

self.addEventListener('backgroundfetchclick' as 'activate', (event) => {
  event.waitUntil(openPage(desktop, '/'))
})

self.addEventListener('notificationclick', (event) => {
  const ports = noticePorts({ callApi, session: readSession, badge, store })
  event.waitUntil(openNotice(desktop, event.notification, event, ports))
})

self.addEventListener('push', (event) => {
  event.waitUntil(showPush(pushes, event.data?.text()))
})

// TypeScript's library has no type for this event.
self.addEventListener('pushsubscriptionchange' as 'activate', (event) => {
  const subscribe = (options: PushSubscriptionOptionsInit) => self.registration.pushManager.subscribe(options)
  event.waitUntil(
    renewSubscription(
      { callApi, session: readSession, subscribe },
      event as ExtendableEvent & SubscriptionChange,
    ),
  )
})

onChange((change) => {
  if (isForQueue(change)) runner.wake()
  if (change.store === 'session') void onSessionChange()
})

// Any event may have started the worker, so the queue continues. A version that waits does not run it.
if (self.serviceWorker?.state === 'activated') void lifetime.extend()

async function handleMessage(
  message: v.InferOutput<typeof toWorker>,
  port: MessagePort | undefined,
): Promise<void> {
  switch (message.type) {
    case 'deliver':
    case 'tock':
      return lifetime.extend()
    case 'nudge':
      return runner.nudge().then(lifetime.extend)
    case 'person':
      return onSessionChange()
    case 'read':
      return closeRead(reading, message.ids, message.people)
    case 'acts':
      return storeMutations(
        { session: readSession, store },
        message.userId,
        message.acts.map(mutationOf),
      ).then(lifetime.extend)
    case 'probe':
      return port?.postMessage(await readProbe(message.key))
    case 'step-aside':
      lifetime.endEvents()
      return port?.postMessage(true)
    case 'take-over':
      return self.skipWaiting()
    default:
      message satisfies never
  }
}

/** Removes notices of the previous person and, without a session, the number on the icon. */
async function onSessionChange(): Promise<void> {
  const session = await readSession()
  await clearNotices(desktop, session !== undefined)
  if (!session) await badge(0)
}

/** The signed-in person's posts, checks and messages that are not delivered. */
async function unpublishedJobs(): Promise<FileJob[]> {
  const session = await readSession()
  return session ? listDeliveries(session.user.id) : []
}

/** Sets the number on the app's icon, where the system shows one. */
async function badge(unread: number): Promise<void> {
  const { navigator } = self
  if ('setAppBadge' in navigator) await navigator.setAppBadge(unread).catch(() => undefined)
}

async function tickPages(): Promise<void> {
  const tick: ToPage = { type: 'tick' }
  for (const page of await self.clients.matchAll({ type: 'window' })) page.postMessage(tick)
}
