// Tests the requests that the worker sends for notification buttons and changed subscriptions.
import { expect, test } from 'vitest'
import type { AnyInput } from '#contract/client.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import type { ApiCall } from './api-call.ts'
import type { NewMutation } from '#device/mutations/mutations.ts'
import { noticePorts, type ReadPorts } from './read.ts'
import { renewSubscription } from './subscription.ts'

const [me, id] = [newId(), newId()]
const user = { id: me, email: 'a@b.example', name: '私', avatar_url: null, role: 'member' as const }
const signedIn = async () => ({ token: 't', user })

/** A server that gives each endpoint its reply. */
function apiWith(replies: Readonly<Record<string, unknown>>) {
  const requests: string[] = []
  const callApi = (async (endpoint: Endpoint, { params, body }: AnyInput, token: string) => {
    const parts = [params, body].filter((it) => it && Object.keys(it).length > 0)
    requests.push([endpoint.name, ...parts.map((it) => JSON.stringify(it)), token].join(' '))
    return replies[endpoint.name]
  }) as unknown as ApiCall
  return { callApi, requests }
}

const other = newId()
const conversation = { user_id: other, name: '花子', seq: 7 }

/** The worker's ports for one person who is signed in, and what they did. */
function device(replies: Readonly<Record<string, unknown>>, session: ReadPorts['session'] = signedIn) {
  const { callApi, requests } = apiWith(replies)
  const badges: number[] = []
  const stored: [string, NewMutation][] = []
  const ports = noticePorts({
    callApi,
    session,
    badge: async (unread) => void badges.push(unread),
    store: async (userId, mutation) => void stored.push([userId, mutation]),
  })
  return { ...ports, requests, badges, stored }
}

test('the notification is marked as read, and the icon shows the server’s count of notifications and messages', async () => {
  const { read, requests, badges, stored } = device({
    readNotifications: { unread: 2 },
    countBadge: { count: 5 },
  })
  await read({ path: '/plan', notification_id: id, user_id: me })
  expect([requests, badges, stored]).toEqual([
    [`readNotifications {"ids":["${id}"]} t`, 'countBadge t'],
    [5],
    [],
  ])
})

test('a conversation is read up to the newest message of its notice', async () => {
  const { read, requests, badges } = device({ readConversation: { unread: 0 }, countBadge: { count: 0 } })
  await read({ path: `/chat-messages/${other}`, user_id: me, conversation })
  expect(requests).toEqual([`readConversation {"user_id":"${other}"} {"seq":7} t`, 'countBadge t'])
  expect(badges).toEqual([0])
})

test('without an answer of the server, the mutation is stored on the device', async () => {
  const notification = device({})
  await notification.read({ path: '/plan', notification_id: id, user_id: me })
  expect(notification.stored).toEqual([
    [me, { mutation: { name: 'readNotifications', params: {}, body: { ids: [id] } }, about: '' }],
  ])
  const message = device({})
  await message.read({ path: '/', user_id: me, conversation })
  const mutation = { name: 'readConversation', params: { user_id: other }, body: { seq: 7 } }
  expect(message.stored).toEqual([[me, { mutation, about: '花子' }]])
})

test.each([
  ['a person who is not the recipient', { notification_id: id, user_id: newId() }],
  ['another person’s conversation', { conversation, user_id: newId() }],
  ['a notice without a notification', { user_id: me }],
])('no request is sent for %s', async (_, data) => {
  const { read, requests } = device({})
  await read({ path: '/plan', ...data })
  expect(requests).toEqual([])
})

test('a reply is stored once as a message to the other person, with an id of its own', async () => {
  const { answer, stored, requests } = device({})
  expect(await answer({ path: '/', user_id: me, conversation }, 'すぐ行きます')).toBe(true)
  const [userId, it] = stored[0] ?? []
  expect([userId, it?.about, requests]).toEqual([me, '花子', []])
  expect(it?.mutation).toEqual({
    name: 'sendMessage',
    params: { user_id: other },
    body: { id: it?.id, content: 'すぐ行きます', reply_to: null },
  })
})

test.each([
  ['of white space', { conversation, user_id: me }, ' \n'],
  ['that is too long', { conversation, user_id: me }, 'あ'.repeat(2001)],
  ['on the notice of another person', { conversation, user_id: newId() }, 'はい'],
  ['on the notice of a comment', { notification_id: id, user_id: me }, 'はい'],
])('a reply %s is not stored, so that the page opens', async (_, data, text) => {
  const { answer, stored } = device({})
  expect(await answer({ path: '/', ...data }, text)).toBe(false)
  expect(stored).toEqual([])
})

test('nothing is stored for a person who has signed out', async () => {
  const { answer, stored } = device({}, async () => undefined)
  expect(await answer({ path: '/', user_id: me, conversation }, 'はい')).toBe(false)
  expect(stored).toEqual([])
})

const subscription = (endpoint: string) =>
  ({
    options: { userVisibleOnly: true, applicationServerKey: new ArrayBuffer(65) },
    toJSON: () => ({ endpoint, keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } }),
  }) as unknown as PushSubscription
const refused = () => Promise.reject(new DOMException('no', 'AbortError'))

test('a changed subscription is sent to the server; a removed one is created again with the same key', async () => {
  const renewed = apiWith({})
  const change = {
    oldSubscription: subscription('https://p.example/1'),
    newSubscription: subscription('https://p.example/2'),
  }
  await renewSubscription({ callApi: renewed.callApi, session: signedIn, subscribe: refused }, change)
  expect(renewed.requests).toEqual([expect.stringContaining('p.example/2')])
  expect(renewed.requests[0]).toMatch(/^putPushSubscription /)
  expect(renewed.requests[0]).toMatch(/ t$/)
  const recreated = apiWith({})
  const subscribe = async () => subscription('https://p.example/3')
  await renewSubscription(
    { callApi: recreated.callApi, session: signedIn, subscribe },
    { ...change, newSubscription: null },
  )
  expect(recreated.requests).toEqual([expect.stringContaining('p.example/3')])
  expect(recreated.requests[0]).toMatch(/^putPushSubscription /)
})

test('the event lasts until the server has answered', async () => {
  let answer: (reply: undefined) => void = () => undefined
  const answered = new Promise<undefined>((resolve) => (answer = resolve))
  let ended = false
  const change = { oldSubscription: subscription('https://p.example/1'), newSubscription: null }
  const renewing = renewSubscription(
    { callApi: () => answered, session: signedIn, subscribe: refused },
    change,
  ).finally(() => (ended = true))
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  expect(ended).toBe(false)
  answer(undefined)
  await renewing
})

test('a subscription that cannot be created again is deleted on the server; without a session no request is sent', async () => {
  const change = { oldSubscription: subscription('https://p.example/1'), newSubscription: null }
  const ended = apiWith({})
  await renewSubscription({ callApi: ended.callApi, session: signedIn, subscribe: refused }, change)
  expect(ended.requests).toEqual(['dropPushSubscription t'])
  const signedOut = apiWith({})
  await renewSubscription(
    { callApi: signedOut.callApi, session: async () => undefined, subscribe: refused },
    change,
  )
  expect(signedOut.requests).toEqual([])
})
