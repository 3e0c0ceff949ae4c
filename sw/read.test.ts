// Tests the requests that the worker sends for notification buttons and changed subscriptions.
import { expect, test } from 'vitest'
import type { Mutation } from '#contract/mutations/mutations.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import type { ApiCall } from './api-call.ts'
import { markRead } from './read.ts'
import { renewSubscription } from './subscription.ts'

const [me, id] = [newId(), newId()]
const user = { id: me, email: 'a@b.example', name: '私', avatar_url: null, role: 'member' as const }
const signedIn = async () => ({ token: 't', user })

function apiWith(reply: unknown) {
  const requests: string[] = []
  const callApi = (async (endpoint: Endpoint, { body }: { body?: unknown }, token: string) => {
    requests.push(`${endpoint.name} ${JSON.stringify(body)} ${token}`)
    return reply
  }) as unknown as ApiCall
  return { callApi, requests }
}

const never = () => Promise.reject(new Error('this call is not expected'))

test('the notification is marked as read, and the icon shows the server’s count', async () => {
  const { callApi, requests } = apiWith({ unread: 2 })
  const badges: number[] = []
  const read = markRead({
    callApi,
    session: signedIn,
    badge: async (unread) => void badges.push(unread),
    store: never,
  })
  await read({ path: '/plan', notification_id: id, user_id: me })
  expect([requests, badges]).toEqual([[`readNotifications {"ids":["${id}"]} t`], [2]])
})

test('without an answer of the server, the mutation is stored on the device', async () => {
  const stored: unknown[] = []
  const store = async (userId: string, mutation: Mutation) => void stored.push([userId, mutation])
  const read = markRead({ callApi: apiWith(undefined).callApi, session: signedIn, badge: never, store })
  await read({ path: '/plan', notification_id: id, user_id: me })
  expect(stored).toEqual([[me, { name: 'readNotifications', params: {}, body: { ids: [id] } }]])
})

test.each([
  ['a person who is not the recipient', { notification_id: id, user_id: newId() }],
  ['a notice without a notification', { user_id: me }],
])('no request is sent for %s', async (_, data) => {
  const { callApi, requests } = apiWith({ unread: 0 })
  await markRead({ callApi, session: signedIn, badge: never, store: never })({ path: '/plan', ...data })
  expect(requests).toEqual([])
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
  expect(ended.requests).toEqual(['dropPushSubscription undefined t'])
  const signedOut = apiWith({})
  await renewSubscription(
    { callApi: signedOut.callApi, session: async () => undefined, subscribe: refused },
    change,
  )
  expect(signedOut.requests).toEqual([])
})
