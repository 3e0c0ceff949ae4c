// Notices on the desktop disappear when their notification was read, in this app or elsewhere.
import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import { listNotifications } from '#contract/notifications/notifications.ts'
import { PUSH_TAG } from '#contract/notifications/push-payload.ts'
import type { ApiCall } from './api-call.ts'
import { closeRead } from './close-read.ts'
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

/** A desktop that shows three lines and what became of a post; what the server says of its list. */
async function standing(
  reply: NotificationPage | undefined,
  session = signedIn as () => Promise<Awaited<ReturnType<typeof signedIn>> | undefined>,
  meanwhile?: (desktop: Desktop) => Promise<void>,
) {
  const { desktop, shown } = fakeDesktop([])
  for (const tag of [PUSH_TAG + one, PUSH_TAG + two, PUSH_TAG + three, 'delivery-1'])
    await desktop.registration.showNotification('見出し', {
      tag,
      data: { path: '/notify', shown_at: NOW - 1 },
    })
  const asked: string[] = []
  const ask = (async ({ name }: Endpoint, _: object, token: string) => {
    asked.push(`${name} ${token}`)
    await meanwhile?.(desktop)
    return reply
  }) as unknown as ApiCall
  return {
    ports: { desktop, ask, session, now: () => NOW },
    asked,
    stands: () => shown.map(({ tag }) => [one, two, three].findIndex((id) => PUSH_TAG + id === tag) + 1),
  }
}
/** What `stands` lists for a notification about a delivery. */
const DELIVERY = 0

test('lines that were read in the app go, and nobody is asked', async () => {
  const { ports, asked, stands } = await standing(undefined)
  await closeRead(ports, [one, three])
  expect([stands(), asked]).toEqual([[2, DELIVERY], []])
})

test('after the count fell, what the server’s list says is read goes; what it does not name stays', async () => {
  const { ports, asked, stands } = await standing(list(2, { [one]: true, [two]: false }))
  await closeRead(ports, [])
  expect([stands(), asked]).toEqual([[2, 3, DELIVERY], [`${listNotifications.name} t`]])
})

test('with nothing unread all lines go, further down the list too; a delivery’s notice is another matter', async () => {
  const { ports, stands } = await standing(list(0, { [one]: true }))
  await closeRead(ports, [])
  expect(stands()).toEqual([DELIVERY])
})

test.each([
  ['the server does not answer', async () => standing(undefined)],
  ['nobody is signed in', async () => standing(list(0, {}), async () => undefined)],
])('while %s everything stays', async (_, made) => {
  const { ports, stands } = await made()
  await closeRead(ports, [])
  expect(stands()).toEqual([1, 2, 3, DELIVERY])
})

test('with none of them shown the server is not asked', async () => {
  const { ports, asked } = await standing(list(0, {}))
  for (const it of await ports.desktop.registration.getNotifications()) it.close()
  await closeRead(ports, [])
  expect(asked).toEqual([])
})

test('a push that is shown while the server answers stays, whatever the list says', async () => {
  const arrives = (shownAt: number) => (desktop: Desktop) =>
    desktop.registration.showNotification('見出し', {
      tag: PUSH_TAG + two,
      data: { path: '/notify', shown_at: shownAt },
    })
  const { ports, stands } = await standing(list(0, { [two]: true }), signedIn, arrives(NOW))
  await closeRead(ports, [])
  expect(stands()).toEqual([DELIVERY, 2])
})

test('what the system showed by itself is taken away like the others', async () => {
  const { ports, stands } = await standing(list(0, {}), signedIn, (desktop) =>
    desktop.registration.showNotification('見出し', { tag: PUSH_TAG + two, data: { setting_cd: 'plan' } }),
  )
  await closeRead(ports, [])
  expect(stands()).toEqual([DELIVERY])
})
