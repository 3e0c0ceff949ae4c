// Pushes on this device, with the browser and the server as ports.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import {
  dropPushSubscription,
  getPushKey,
  putPushSubscription,
  subscriptionBody,
  testPush,
  type TestOutcome,
} from '#contract/notifications/push-subscriptions.ts'
import { call } from '#src/domain/api/api.ts'
import { installMethod } from '#src/domain/install/install-method.ts'
import { createSignal, useStore } from '#src/lib/store.ts'
import { createPersistedValue } from '#src/lib/persisted-value.ts'
import { createPushDevice, type PushStatus, type EnableResult } from './push-device.ts'
import type { Subscription } from './push-ports.ts'

/** Longest wait for the browser's push service, ms: without it, browsers wait without end. */
const SUBSCRIBE_MS = 20_000

const note = createPersistedValue(
  () => localStorage,
  'todoke.push',
  v.object({ ownerId: id, key: v.string() }),
)

const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (it) => it.charCodeAt(0))
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  const timeout = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new DOMException('no push service', 'TimeoutError')), SUBSCRIBE_MS),
  )
  return Promise.race([work, timeout])
}

const manager = async () => (await navigator.serviceWorker.ready).pushManager

function read(it: PushSubscription): Subscription {
  const { applicationServerKey: key } = it.options
  return { ...v.parse(subscriptionBody, it.toJSON()), key: key ? base64url(key) : '' }
}

/** Support of pushes. On iOS only the app on the home screen has them. */
function support(): 'supported' | 'install' | 'none' {
  if ('PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator) return 'supported'
  const { userAgent: agent, maxTouchPoints: touchPoints } = navigator
  return installMethod({ standalone: false, offered: false, agent, touchPoints }) === 'ios'
    ? 'install'
    : 'none'
}

const device = createPushDevice({
  support,
  permission: () => Notification.permission,
  requestPermission: () => Notification.requestPermission(),
  subscription: async () => {
    const it = await withTimeout(manager().then((pushes) => pushes.getSubscription()))
    return it ? read(it) : undefined
  },
  subscribe: async (key) => {
    const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) }
    return read(await withTimeout(manager().then((pushes) => pushes.subscribe(options))))
  },
  unsubscribe: async () => {
    const it = await withTimeout(manager().then((pushes) => pushes.getSubscription()))
    await it?.unsubscribe()
  },
  server: {
    key: async () => (await call(getPushKey, {})).key,
    put: (body) => call(putPushSubscription, { body }),
    drop: () => call(dropPushSubscription, {}),
  },
  note,
})

// The person may change the permission in the browser.
const changes = createSignal((emit) => {
  document.addEventListener('visibilitychange', emit)
  return () => document.removeEventListener('visibilitychange', emit)
})

/** State of pushes on this device for a person. */
export function usePushStatus(ownerId: string): PushStatus {
  return useStore({ get: () => device.status(ownerId), subscribe: changes.subscribe })
}

export async function enablePush(ownerId: string): Promise<EnableResult> {
  const end = await device.turnOn(ownerId)
  changes.emit()
  return end
}

export async function disablePush(): Promise<void> {
  await device.turnOff()
  changes.emit()
}

/** Ends pushes on this device at a sign-out. */
export const endPushAtSignOut = (): Promise<void> => device.endAtSignOut()

/** Sends a test push to this device. @returns its outcome */
export async function sendTestPush(): Promise<TestOutcome> {
  return (await call(testPush, {})).outcome
}

/** Repairs the subscription after a sign-in or at a start. */
export async function syncPush(ownerId: string): Promise<void> {
  await device.sync(ownerId)
  changes.emit()
}
