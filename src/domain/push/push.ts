// This device's pushes, over the real browser and server.
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
import { installWay } from '#src/domain/install/install-way.ts'
import { createSignal, useStore } from '#src/lib/store.ts'
import { createPersistedValue } from '#src/lib/persisted-value.ts'
import { createPushDevice, type PushStanding, type TurnedOn } from './push-device.ts'
import type { Subscription } from './push-ports.ts'

/** A browser whose push service is not reached waits for ever: not longer than this, ms. */
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

function inTime<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new DOMException('no push service', 'TimeoutError')), SUBSCRIBE_MS),
  )
  return Promise.race([work, late])
}

const manager = async () => (await navigator.serviceWorker.ready).pushManager

function read(it: PushSubscription): Subscription {
  const { applicationServerKey: key } = it.options
  return { ...v.parse(subscriptionBody, it.toJSON()), key: key ? base64url(key) : '' }
}

/** iOS has pushes in the app on the home screen alone; its browser does not say so in any other way. */
function support(): 'here' | 'install' | 'none' {
  if ('PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator) return 'here'
  const { userAgent: agent, maxTouchPoints: touchPoints } = navigator
  return installWay({ standalone: false, offered: false, agent, touchPoints }) === 'ios' ? 'install' : 'none'
}

const device = createPushDevice({
  support,
  permission: () => Notification.permission,
  askPermission: () => Notification.requestPermission(),
  subscription: async () => {
    const it = await inTime(manager().then((pushes) => pushes.getSubscription()))
    return it ? read(it) : undefined
  },
  subscribe: async (key) => {
    const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) }
    return read(await inTime(manager().then((pushes) => pushes.subscribe(options))))
  },
  unsubscribe: async () => {
    const it = await inTime(manager().then((pushes) => pushes.getSubscription()))
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
export function usePushStanding(ownerId: string): PushStanding {
  return useStore({ get: () => device.standing(ownerId), subscribe: changes.subscribe })
}

export async function turnPushOn(ownerId: string): Promise<TurnedOn> {
  const end = await device.turnOn(ownerId)
  changes.emit()
  return end
}

export async function turnPushOff(): Promise<void> {
  await device.turnOff()
  changes.emit()
}

/** A signed-out person gets no further pushes here. */
export const forgetPush = (): Promise<void> => device.forget()

/** A push to this device; what became of it. */
export async function tryPush(): Promise<TestOutcome> {
  return (await call(testPush, {})).outcome
}

/** Once for everybody who signs in: what they wanted here is so again. */
export async function syncPush(ownerId: string): Promise<void> {
  await device.sync(ownerId)
  changes.emit()
}
