// Pushes on a device: asked for by a press, ended with the person, and repaired at the next start.
import { expect, test } from 'vitest'
import { createPushDevice, type PushDevicePorts, type PushNote, type Subscription } from './push-device.ts'

interface Given {
  readonly support?: 'here' | 'install' | 'none'
  readonly permission?: NotificationPermission
  readonly answer?: NotificationPermission
  readonly subscribed?: string
  readonly note?: PushNote
  readonly serverKey?: string
  /** The browser's push service does not answer. */
  readonly dead?: boolean
  readonly offline?: boolean
}

const made = (key: string): Subscription => ({
  key,
  endpoint: `https://p.example/${key}`,
  keys: { p256dh: 'p', auth: 'a' },
})

function device(given: Given) {
  const said: string[] = []
  let [permission, kept] = [given.permission ?? 'default', given.note]
  let subscription = given.subscribed === undefined ? undefined : made(given.subscribed)
  const online = async <T>(word: string, value: T): Promise<T> => {
    if (given.offline) throw new TypeError('no network')
    said.push(word)
    return value
  }
  const ports: PushDevicePorts = {
    support: () => given.support ?? 'here',
    permission: () => permission,
    askPermission: async () => {
      if (permission === 'default') said.push('asked')
      return (permission = permission === 'default' ? (given.answer ?? 'granted') : permission)
    },
    subscription: async () => subscription,
    subscribe: async (key) => {
      if (given.dead) throw new DOMException('no push service', 'AbortError')
      said.push(`subscribed ${key}`)
      return (subscription = made(key))
    },
    unsubscribe: async () => {
      if (subscription) said.push('unsubscribed')
      subscription = undefined
    },
    server: {
      key: () => online('key', given.serverKey ?? 'k1'),
      put: ({ endpoint }) => online(`put ${endpoint}`, {}),
      drop: () => online('dropped', {}),
    },
    note: { read: () => kept, save: (it) => (kept = it), drop: () => (kept = undefined) },
  }
  return { it: createPushDevice(ports), said, kept: () => kept }
}
const mine: PushNote = { ownerId: 'me', key: 'k1' }

test('turned on, the person is asked, the browser subscribes and the server is told', async () => {
  const { it, said } = device({})
  expect(it.standing('me')).toBe('off')
  expect(await it.turnOn('me')).toBe('on')
  expect(said).toEqual(['asked', 'key', 'subscribed k1', 'put https://p.example/k1'])
  expect(it.standing('me')).toBe('on')
})

test('a no is a no: nothing is subscribed', async () => {
  const { it, said } = device({ answer: 'denied' })
  expect(await it.turnOn('me')).toBe('denied')
  expect([said, it.standing('me')]).toEqual([['asked'], 'denied'])
})

test.each([{ dead: true }, { offline: true }])(
  'without a push service or a server it failed, and is off: %o',
  async (how) => {
    const { it } = device(how)
    expect(await it.turnOn('me')).toBe('failed')
    expect(it.standing('me')).toBe('off')
  },
)

test.each([
  ['none', 'unsupported'],
  ['install', 'install'],
] as const)('a browser that has %s is %s, whatever was allowed', (support, standing) => {
  expect(device({ support, permission: 'granted', note: mine }).it.standing('me')).toBe(standing)
})

test('turned off it is off, though nobody answers', async () => {
  const { it, said } = device({ permission: 'granted', subscribed: 'k1', note: mine, offline: true })
  await it.turnOff()
  expect([said, it.standing('me')]).toEqual([['unsubscribed'], 'off'])
})

test('signing out ends it on the device; the server ends it with the session', async () => {
  const { it, said, kept } = device({ permission: 'granted', subscribed: 'k1', note: mine })
  await it.forget()
  expect([said, kept()]).toEqual([['unsubscribed'], undefined])
})

test('at a start the server is told again, so that a device it forgot is there again', async () => {
  const { it, said } = device({ permission: 'granted', subscribed: 'k1', note: mine })
  await it.sync('me')
  expect(said).toEqual(['key', 'put https://p.example/k1'])
})

test('a subscription the browser lost, or one to older keys, is made anew', async () => {
  const lost = device({ permission: 'granted', note: mine })
  await lost.it.sync('me')
  expect(lost.said).toEqual(['key', 'subscribed k1', 'put https://p.example/k1'])
  const older = device({ permission: 'granted', subscribed: 'k0', note: { ...mine, key: 'k0' } })
  await older.it.sync('me')
  expect(older.said).toEqual(['key', 'unsubscribed', 'subscribed k1', 'put https://p.example/k1'])
})

test('what another person left on this device ends, and nothing is subscribed for the one who came', async () => {
  const { it, said, kept } = device({
    permission: 'granted',
    subscribed: 'k1',
    note: { ...mine, ownerId: 'other' },
  })
  expect(it.standing('me')).toBe('off')
  await it.sync('me')
  expect([said, kept()]).toEqual([['unsubscribed'], undefined])
})

test.each([
  { permission: 'default' },
  { permission: 'denied' },
  { permission: 'granted', support: 'install' },
] as const)('nothing is asked and nothing is sent at a start with %o', async (given) => {
  const { it, said } = device({ ...given, note: mine })
  await it.sync('me')
  expect(said).toEqual([])
})
