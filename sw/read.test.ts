// Requests that the worker sends for buttons of notifications: as the signed-in person, or without a session.
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

function asking(reply: unknown) {
  const asked: string[] = []
  const ask = (async (endpoint: Endpoint, { body }: { body?: unknown }, token: string) => {
    asked.push(`${endpoint.name} ${JSON.stringify(body)} ${token}`)
    return reply
  }) as unknown as ApiCall
  return { ask, asked }
}

const never = () => Promise.reject(new Error('nobody expected this'))

test('a line is read, and the icon counts one less', async () => {
  const { ask, asked } = asking({ unread: 2 })
  const badges: number[] = []
  const read = markRead({
    ask,
    session: signedIn,
    badge: async (unread) => void badges.push(unread),
    later: never,
  })
  await read({ path: '/plan', notification_id: id, user_id: me })
  expect([asked, badges]).toEqual([[`readNotifications {"ids":["${id}"]} t`], [2]])
})

test('where nobody answers, the mark waits on the device', async () => {
  const kept: unknown[] = []
  const later = async (userId: string, act: Mutation) => void kept.push([userId, act])
  const read = markRead({ ask: asking(undefined).ask, session: signedIn, badge: never, later })
  await read({ path: '/plan', notification_id: id, user_id: me })
  expect(kept).toEqual([[me, { name: 'readNotifications', params: {}, body: { ids: [id] } }]])
})

test.each([
  ['whose notice it is not', { notification_id: id, user_id: newId() }],
  ['of a notice that stands for no line', { user_id: me }],
])('nothing is read in the name of somebody %s', async (_, data) => {
  const { ask, asked } = asking({ unread: 0 })
  await markRead({ ask, session: signedIn, badge: never, later: never })({ path: '/plan', ...data })
  expect(asked).toEqual([])
})

const subscription = (endpoint: string) =>
  ({
    options: { userVisibleOnly: true, applicationServerKey: new ArrayBuffer(65) },
    toJSON: () => ({ endpoint, keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } }),
  }) as unknown as PushSubscription
const gone = () => Promise.reject(new DOMException('no', 'AbortError'))

test('a changed subscription is told; one the browser only took away is made anew with the same key', async () => {
  const given = asking({})
  const change = {
    oldSubscription: subscription('https://p.example/1'),
    newSubscription: subscription('https://p.example/2'),
  }
  await renewSubscription({ ask: given.ask, session: signedIn, subscribe: gone }, change)
  expect(given.asked).toEqual([expect.stringContaining('p.example/2')])
  expect(given.asked[0]).toMatch(/^putPushSubscription /)
  expect(given.asked[0]).toMatch(/ t$/)
  const made = asking({})
  const subscribe = async () => subscription('https://p.example/3')
  await renewSubscription(
    { ask: made.ask, session: signedIn, subscribe },
    { ...change, newSubscription: null },
  )
  expect(made.asked).toEqual([expect.stringContaining('p.example/3')])
  expect(made.asked[0]).toMatch(/^putPushSubscription /)
})

test('the event lasts until the server has answered', async () => {
  let answer: (reply: undefined) => void = () => undefined
  const answered = new Promise<undefined>((resolve) => (answer = resolve))
  let ended = false
  const change = { oldSubscription: subscription('https://p.example/1'), newSubscription: null }
  const renewing = renewSubscription(
    { ask: () => answered, session: signedIn, subscribe: gone },
    change,
  ).finally(() => (ended = true))
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  expect(ended).toBe(false)
  answer(undefined)
  await renewing
})

test('one that cannot be made anew ends on the server too; without a session nothing is told', async () => {
  const change = { oldSubscription: subscription('https://p.example/1'), newSubscription: null }
  const ended = asking({})
  await renewSubscription({ ask: ended.ask, session: signedIn, subscribe: gone }, change)
  expect(ended.asked).toEqual(['dropPushSubscription undefined t'])
  const nobody = asking({})
  await renewSubscription({ ask: nobody.ask, session: async () => undefined, subscribe: gone }, change)
  expect(nobody.asked).toEqual([])
})
