// Tests that notices close when their notification was read, on this or another device.
import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import { listNotifications } from '#contract/notifications/notifications.ts'
import { MESSAGE_TAG, PUSH_TAG } from '#contract/notifications/push-payload.ts'
import type { ApiCall } from './api-call.ts'
import { closeRead, closeReadConversations } from './close-read.ts'
import { fakeDesktop } from './testing/fake-desktop.ts'
import type { NotificationPage } from './prefetch.ts'
import type { Desktop } from './windows.ts'

const [one, two, three] = [newId(), newId(), newId()]
const user = { id: newId(), email: 'a@b.example', name: '私', avatar_url: null, role: 'member' as const }
const signedIn = async () => ({ token: 't', user })

const list = (unread: number, read: Record<string, boolean>): NotificationPage => ({
  notifications: Object.entries(read).map(([id, isRead]) => ({
    id,
    setting_cd: 'plan',
    idol_id: null,
    target_id: null,
    target_sub_1_id: null,
    target_sub_2_id: null,
    to_user_id: null,
    post_deleted: false,
    updated_at: '2026-01-01T00:00:00.000Z',
    read: isRead,
    people: [],
    others: 0,
    excerpt: null,
  })),
  next: null,
  unread,
})

const NOW = Date.UTC(2026, 0, 1)

/** A desktop that shows notices of three notifications and of a delivery, and a server that replies with a list. */
async function desktopWith(
  reply: NotificationPage | undefined,
  session = signedIn as () => Promise<Awaited<ReturnType<typeof signedIn>> | undefined>,
  duringRequest?: (desktop: Desktop) => Promise<void>,
) {
  const { desktop, shown } = fakeDesktop([])
  for (const tag of [PUSH_TAG + one, PUSH_TAG + two, PUSH_TAG + three, 'delivery-1'])
    await desktop.registration.showNotification('見出し', {
      tag,
      data: { path: '/notify', shown_at: NOW - 1 },
    })
  const requests: string[] = []
  const callApi = (async ({ name }: Endpoint, _: object, token: string) => {
    requests.push(`${name} ${token}`)
    await duringRequest?.(desktop)
    return reply
  }) as unknown as ApiCall
  return {
    ports: { desktop, callApi, session, now: () => NOW },
    requests,
    shownNumbers: () =>
      shown.map(({ tag }) => [one, two, three].findIndex((id) => PUSH_TAG + id === tag) + 1),
  }
}
/** The number of the delivery's notice in `shownNumbers`. */
const DELIVERY = 0

test('the notices of notifications that were read in the app close without a request', async () => {
  const { ports, requests, shownNumbers } = await desktopWith(undefined)
  await closeRead(ports, [one, three], [])
  expect([shownNumbers(), requests]).toEqual([[2, DELIVERY], []])
})

test('after the count fell, notices close that the server’s list marks as read, and those it does not contain stay', async () => {
  const { ports, requests, shownNumbers } = await desktopWith(list(2, { [one]: true, [two]: false }))
  await closeRead(ports, [], [])
  expect([shownNumbers(), requests]).toEqual([[2, 3, DELIVERY], [`${listNotifications.name} t`]])
})

test('with nothing unread the notices of all notifications close, and the notice of a delivery stays', async () => {
  const { ports, shownNumbers } = await desktopWith(list(0, { [one]: true }))
  await closeRead(ports, [], [])
  expect(shownNumbers()).toEqual([DELIVERY])
})

test.each([
  ['the server does not answer', async () => desktopWith(undefined)],
  ['no person is signed in', async () => desktopWith(list(0, {}), async () => undefined)],
])('while %s every notice stays', async (_, open) => {
  const { ports, shownNumbers } = await open()
  await closeRead(ports, [], [])
  expect(shownNumbers()).toEqual([1, 2, 3, DELIVERY])
})

test('without a shown notification the server gets no request', async () => {
  const { ports, requests } = await desktopWith(list(0, {}))
  for (const it of await ports.desktop.registration.getNotifications()) it.close()
  await closeRead(ports, [], [])
  expect(requests).toEqual([])
})

test('a notice that is shown while the server answers stays, although the list marks it as read', async () => {
  const arrives = (shownAt: number) => (desktop: Desktop) =>
    desktop.registration.showNotification('見出し', {
      tag: PUSH_TAG + two,
      data: { path: '/notify', shown_at: shownAt },
    })
  const { ports, shownNumbers } = await desktopWith(list(0, { [two]: true }), signedIn, arrives(NOW))
  await closeRead(ports, [], [])
  expect(shownNumbers()).toEqual([DELIVERY, 2])
})

test('a notice that the system showed by itself closes like the others', async () => {
  const { ports, shownNumbers } = await desktopWith(list(0, {}), signedIn, (desktop) =>
    desktop.registration.showNotification('見出し', { tag: PUSH_TAG + two, data: { setting_cd: 'plan' } }),
  )
  await closeRead(ports, [], [])
  expect(shownNumbers()).toEqual([DELIVERY])
})

/** A desktop with notices of conversations with two people, and a server that has these numbers of unread messages. */
async function conversationsWith(unread: Readonly<Record<string, number>>) {
  const { desktop, shown } = fakeDesktop([])
  for (const [n, id] of [one, two].entries())
    await desktop.registration.showNotification('花子', {
      tag: MESSAGE_TAG + id,
      data: { path: `/chat-messages/${id}`, shown_at: NOW - 1 + n },
    })
  const requests: string[] = []
  const callApi = (async ({ name }: Endpoint, { params }: { params: { user_id: string } }) => {
    requests.push(`${name} ${params.user_id}`)
    const count = unread[params.user_id]
    return count === undefined ? undefined : { unread: count }
  }) as unknown as ApiCall
  const ports = { desktop, callApi, session: signedIn, now: () => NOW + 1 }
  return { ports, requests, shownOf: () => shown.map(({ tag }) => tag.slice(MESSAGE_TAG.length)) }
}

test('a conversation that was read in the app has no notice any more, and no request is sent', async () => {
  const { ports, requests, shownOf } = await conversationsWith({})
  await closeRead(ports, [], [one])
  expect([shownOf(), requests]).toEqual([[two], []])
})

test('after a count fell, the notices of conversations without unread messages close', async () => {
  const { ports, requests, shownOf } = await conversationsWith({ [one]: 0, [two]: 2 })
  await closeRead(ports, [], [])
  expect([shownOf(), requests]).toEqual([[two], [`getConversation ${one}`, `getConversation ${two}`]])
})

test('a notice that is shown since stays, and so does one about which the server does not answer', async () => {
  const later = await conversationsWith({ [one]: 0, [two]: 0 })
  await closeReadConversations(later.ports, NOW)
  expect(later.shownOf()).toEqual([two])
  const silent = await conversationsWith({})
  await closeReadConversations(silent.ports, NOW + 1)
  expect(silent.shownOf()).toEqual([one, two])
})

test('without a session no request is sent about conversations', async () => {
  const { ports, requests, shownOf } = await conversationsWith({ [one]: 0 })
  await closeReadConversations({ ...ports, session: async () => undefined }, NOW + 1)
  expect([shownOf(), requests]).toEqual([[one, two], []])
})
