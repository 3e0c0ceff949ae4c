// Pushes are enabled by a press, ended with the session, and repaired at a start.
import { expect, test } from 'vitest'
import { createPushDevice } from './push-device.ts'
import type { PushDevicePorts, PushNote, Subscription } from './push-ports.ts'

interface Given {
  readonly support?: 'supported' | 'install' | 'none'
  readonly permission?: NotificationPermission
  readonly answer?: NotificationPermission
  readonly subscribed?: string
  readonly note?: PushNote
  readonly serverKey?: string
  /** The browser's push service does not answer. */
  readonly dead?: boolean
  readonly offline?: boolean
  /** The call that waits for `release`. */
  readonly slow?: 'key' | 'subscription' | 'subscribe' | 'put'
}

const made = (key: string): Subscription => ({
  key,
  endpoint: `https://p.example/${key}`,
  keys: { p256dh: 'p', auth: 'a' },
})

function device(given: Given) {
  const log: string[] = []
  let [permission, note] = [given.permission ?? 'default', given.note]
  let subscription = given.subscribed === undefined ? undefined : made(given.subscribed)
  let release = () => {}
  let reach = () => {}
  const [free, reached] = [
    new Promise<void>((end) => (release = end)),
    new Promise<void>((end) => (reach = end)),
  ]
  const taking = async (what: Given['slow']): Promise<void> => {
    if (given.slow !== what) return
    reach()
    await free
  }
  const online = async <T>(word: string, value: T): Promise<T> => {
    if (given.offline) throw new TypeError('no network')
    log.push(word)
    return value
  }
  const ports: PushDevicePorts = {
    support: () => given.support ?? 'supported',
    permission: () => permission,
    requestPermission: async () => {
      if (permission === 'default') log.push('requested permission')
      return (permission = permission === 'default' ? (given.answer ?? 'granted') : permission)
    },
    subscription: async () => {
      const before = subscription
      await taking('subscription')
      return before
    },
    subscribe: async (key) => {
      if (given.dead) throw new DOMException('no push service', 'AbortError')
      await taking('subscribe')
      log.push(`subscribed ${key}`)
      return (subscription = made(key))
    },
    unsubscribe: async () => {
      if (subscription) log.push('unsubscribed')
      subscription = undefined
    },
    server: {
      key: () => taking('key').then(() => online('key', given.serverKey ?? 'k1')),
      put: ({ endpoint }) => taking('put').then(() => online(`put ${endpoint}`, {})),
      drop: () => online('dropped', {}),
    },
    note: { read: () => note, save: (it) => (note = it), remove: () => (note = undefined) },
  }
  return {
    it: createPushDevice(ports),
    log,
    storedNote: () => note,
    subscribed: () => subscription !== undefined,
    reached,
    letGo: () => release(),
  }
}
const ownNote: PushNote = { ownerId: 'me', key: 'k1' }

test('enabling requests the permission, subscribes, and registers on the server', async () => {
  const { it, log } = device({})
  expect(it.status('me')).toBe('off')
  expect(await it.turnOn('me')).toBe('on')
  expect(log).toEqual(['requested permission', 'key', 'subscribed k1', 'put https://p.example/k1'])
  expect(it.status('me')).toBe('on')
})

test('a denied permission subscribes nothing', async () => {
  const { it, log } = device({ answer: 'denied' })
  expect(await it.turnOn('me')).toBe('denied')
  expect([log, it.status('me')]).toEqual([['requested permission'], 'denied'])
})

test.each([{ dead: true }, { offline: true }])(
  'without a push service or a server enabling fails, and pushes stay off: %o',
  async (how) => {
    const { it } = device(how)
    expect(await it.turnOn('me')).toBe('failed')
    expect(it.status('me')).toBe('off')
  },
)

test.each([
  ['none', 'unsupported'],
  ['install', 'install'],
] as const)('a browser with the support %s has the status %s, with any permission', (support, status) => {
  expect(device({ support, permission: 'granted', note: ownNote }).it.status('me')).toBe(status)
})

test('disabling works without a reply of the server', async () => {
  const { it, log } = device({ permission: 'granted', subscribed: 'k1', note: ownNote, offline: true })
  await it.turnOff()
  expect([log, it.status('me')]).toEqual([['unsubscribed'], 'off'])
})

test('signing out ends the subscription on the device; the server ends it with the session', async () => {
  const { it, log, storedNote } = device({ permission: 'granted', subscribed: 'k1', note: ownNote })
  await it.endAtSignOut()
  expect([log, storedNote()]).toEqual([['unsubscribed'], undefined])
})

test('at a start the subscription is registered again', async () => {
  const { it, log } = device({ permission: 'granted', subscribed: 'k1', note: ownNote })
  await it.sync('me')
  expect(log).toEqual(['key', 'put https://p.example/k1'])
})

test('a lost subscription, or one with an older key, is created again', async () => {
  const lost = device({ permission: 'granted', note: ownNote })
  await lost.it.sync('me')
  expect(lost.log).toEqual(['key', 'subscribed k1', 'put https://p.example/k1'])
  const older = device({ permission: 'granted', subscribed: 'k0', note: { ...ownNote, key: 'k0' } })
  await older.it.sync('me')
  expect(older.log).toEqual(['key', 'unsubscribed', 'subscribed k1', 'put https://p.example/k1'])
})

test('the subscription of another person ends, and none is created for the new one', async () => {
  const { it, log, storedNote } = device({
    permission: 'granted',
    subscribed: 'k1',
    note: { ...ownNote, ownerId: 'other' },
  })
  expect(it.status('me')).toBe('off')
  await it.sync('me')
  expect([log, storedNote()]).toEqual([['unsubscribed'], undefined])
})

test.each([
  { permission: 'default' },
  { permission: 'denied' },
  { permission: 'granted', support: 'install' },
] as const)('nothing is requested and nothing is sent at a start with %o', async (given) => {
  const { it, log } = device({ ...given, note: ownNote })
  await it.sync('me')
  expect(log).toEqual([])
})

test.each([
  ['key', ['unsubscribed', 'dropped', 'key']],
  ['subscription', ['key', 'unsubscribed', 'dropped']],
  ['put', ['key', 'unsubscribed', 'put https://p.example/k1', 'dropped']],
] as const)('disabling while the sync at a start waits for the %s is final', async (slow, becomes) => {
  const world = device({ permission: 'granted', subscribed: 'k1', note: ownNote, slow })
  const sync = world.it.sync('me')
  await world.reached
  const off = world.it.turnOff()
  if (slow !== 'put') await off
  world.letGo()
  await Promise.all([sync, off])
  expect(world.log).toEqual(becomes)
  expect([world.storedNote(), world.subscribed()]).toEqual([undefined, false])
})

test.each(['turnOff', 'endAtSignOut'] as const)(
  'a subscription that is created after %s is ended, and is not registered',
  async (ending) => {
    const world = device({ slow: 'subscribe' })
    const on = world.it.turnOn('me')
    await world.reached
    await world.it[ending]()
    world.letGo()
    expect(await on).toBe('failed')
    expect(world.log.filter((it) => it !== 'dropped')).toEqual([
      'requested permission',
      'key',
      'subscribed k1',
      'unsubscribed',
    ])
    expect([world.storedNote(), world.subscribed()]).toEqual([undefined, false])
  },
)

test('enabling again during the first subscribe call works', async () => {
  const world = device({ slow: 'subscribe' })
  const first = world.it.turnOn('me')
  await world.reached
  await world.it.turnOff()
  const second = world.it.turnOn('me')
  world.letGo()
  expect(await Promise.all([first, second])).toEqual(['failed', 'on'])
  expect([world.storedNote(), world.subscribed()]).toEqual([ownNote, true])
})
