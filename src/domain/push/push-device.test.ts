// Pushes of a device: enabled by a press, ended with the session, and repaired at the next start.
import { expect, test } from 'vitest'
import { createPushDevice } from './push-device.ts'
import type { PushDevicePorts, PushNote, Subscription } from './push-ports.ts'

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
  /** What takes until it is let go. */
  readonly slow?: 'key' | 'subscription' | 'subscribe' | 'put'
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
  let letGo = () => {}
  let reach = () => {}
  const [free, reached] = [
    new Promise<void>((end) => (letGo = end)),
    new Promise<void>((end) => (reach = end)),
  ]
  const taking = async (what: Given['slow']): Promise<void> => {
    if (given.slow !== what) return
    reach()
    await free
  }
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
    subscription: async () => {
      const before = subscription
      await taking('subscription')
      return before
    },
    subscribe: async (key) => {
      if (given.dead) throw new DOMException('no push service', 'AbortError')
      await taking('subscribe')
      said.push(`subscribed ${key}`)
      return (subscription = made(key))
    },
    unsubscribe: async () => {
      if (subscription) said.push('unsubscribed')
      subscription = undefined
    },
    server: {
      key: () => taking('key').then(() => online('key', given.serverKey ?? 'k1')),
      put: ({ endpoint }) => taking('put').then(() => online(`put ${endpoint}`, {})),
      drop: () => online('dropped', {}),
    },
    note: { read: () => kept, save: (it) => (kept = it), drop: () => (kept = undefined) },
  }
  return {
    it: createPushDevice(ports),
    said,
    kept: () => kept,
    subscribed: () => subscription !== undefined,
    reached,
    letGo: () => letGo(),
  }
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

test.each([
  ['key', ['unsubscribed', 'dropped', 'key']],
  ['subscription', ['key', 'unsubscribed', 'dropped']],
  ['put', ['key', 'unsubscribed', 'put https://p.example/k1', 'dropped']],
] as const)('turned off while the look at a start waits for the %s, it stays off', async (slow, becomes) => {
  const world = device({ permission: 'granted', subscribed: 'k1', note: mine, slow })
  const look = world.it.sync('me')
  await world.reached
  const off = world.it.turnOff()
  if (slow !== 'put') await off
  world.letGo()
  await Promise.all([look, off])
  expect(world.said).toEqual(becomes)
  expect([world.kept(), world.subscribed()]).toEqual([undefined, false])
})

test.each(['turnOff', 'forget'] as const)(
  'what the browser subscribes after %s is ended again, and the server is not told of it',
  async (ending) => {
    const world = device({ slow: 'subscribe' })
    const on = world.it.turnOn('me')
    await world.reached
    await world.it[ending]()
    world.letGo()
    expect(await on).toBe('failed')
    expect(world.said.filter((it) => it !== 'dropped')).toEqual([
      'asked',
      'key',
      'subscribed k1',
      'unsubscribed',
    ])
    expect([world.kept(), world.subscribed()]).toEqual([undefined, false])
  },
)

test('turned on again while the browser still subscribes for the first time, it is on', async () => {
  const world = device({ slow: 'subscribe' })
  const first = world.it.turnOn('me')
  await world.reached
  await world.it.turnOff()
  const second = world.it.turnOn('me')
  world.letGo()
  expect(await Promise.all([first, second])).toEqual(['failed', 'on'])
  expect([world.kept(), world.subscribed()]).toEqual([mine, true])
})
