// Every push is shown, and pressing it opens its page in the only window.
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { Desktop, isDesktopInstalled } from './rig/browsers/desktop.ts'
import { closePage, nothingWritten } from './rig/browsers/leaving.ts'
import { creator, sessionOf } from './rig/people/people.ts'
import type { Phone } from './rig/browsers/phone.ts'
import type { Server } from './rig/network/server.ts'
import { deliverPush } from './rig/people/push.ts'
import { sampleOf } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'
import { payloadOf, readyPhone, type Row, rows, windows } from './rig/people/push-phone.ts'

let desktop: Desktop
test.skip(!isDesktopInstalled(), 'dbus-daemon and gjs are not installed')
test.use({ ownServer: true, ownPhone: true })
test.beforeAll(async () => {
  desktop = await Desktop.start()
})
test.afterAll(() => desktop.stop())

test(
  'every push that arrives while the app reads notifications is shown',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const page = await readyPhone(phone, network.url)
    const { user } = await sessionOf(server.url, creator)
    const deliver = await deliverPush(phone, page, network.url)
    const before = desktop.shown.length
    const pushes = Array.from({ length: 20 }, (_, n) =>
      payloadOf({ setting_cd: 'plan', user_id: user.id }, `同時 ${n}`, network.url),
    )
    // Each makes the worker list the notifications, during which Chromium drops new ones.
    await page.evaluate((id) => {
      const read = () => navigator.serviceWorker.controller?.postMessage({ type: 'read', ids: [id] })
      Object.assign(window, { reading: setInterval(read, 10) })
    }, newId())
    for (const it of pushes) await deliver(JSON.stringify(it))
    await expect.poll(() => desktop.shown.length - before).toBe(pushes.length)
    const shownTags = await page.evaluate(async () => {
      clearInterval((window as unknown as { reading: number }).reading)
      const registration = await navigator.serviceWorker.ready
      return (await registration.getNotifications()).map((it) => it.tag)
    })
    expect(shownTags.toSorted()).toEqual(pushes.map((it) => it.notification.tag).toSorted())
    await phone.stop()
  },
)

const answerable = new Set(['comment', 'reply_comment', 'mention'])
const ourActions = ['返信', '既読にする']

/** Delivers pushes to the creator's phone. @returns what the desktop shows of each */
async function pushing(server: Server, url: string, phone: Phone, front: Page) {
  const { user } = await sessionOf(server.url, creator)
  const deliver = await deliverPush(phone, front, url)
  let count = desktop.shown.length
  return async (it: Row['is'], post = newId()) => {
    const payload = payloadOf({ target_id: post, user_id: user.id, ...it }, `見出し ${count}`, url)
    await deliver(JSON.stringify(payload))
    const shown = await desktop.next(count)
    count += 1
    expect(shown.title).toBe(payload.notification.title)
    return shown
  }
}

type Pushed = Awaited<ReturnType<typeof pushing>>

/** The number of windows that the service worker sees; undefined when it ended before it answered. */
async function windowsOfWorker({ context }: Phone): Promise<number | undefined> {
  const [worker] = context.serviceWorkers()
  if (!worker) return 0
  const count = worker.evaluate(async () => {
    const { clients } = globalThis as unknown as { clients: { matchAll(of: object): Promise<unknown[]> } }
    return (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length
  })
  return count.catch((error: unknown) => {
    if (String(error).includes('Service worker restarted')) return undefined
    throw error
  })
}

/** Pressing the notification of this row opens its page in the only window. */
async function opensItsPage(
  phone: Phone,
  url: string,
  pushed: Pushed,
  { is, destination }: Row,
  state: string,
) {
  const post = newId()
  const shown = await pushed(is, post)
  // The browser adds a button.
  expect(shown.actions.filter((it) => ourActions.includes(it))).toEqual(
    answerable.has(is.setting_cd) && !is.post_deleted ? ourActions : ['既読にする'],
  )
  desktop.press(shown)
  await expect
    .poll(() => windows(phone, url), { message: `${is.setting_cd} while ${state}`, intervals: [50] })
    .toEqual([destination.replace('P', post)])
}

/** 既読にする and a dismissal open no page. */
async function opensNothing(phone: Phone, url: string, pushed: Pushed): Promise<void> {
  const before = windows(phone, url)
  expect(before).toHaveLength(1)
  const pressed = newId()
  const read = phone.context.waitForEvent(
    'request',
    (it) => it.url().endsWith('/api/notifications/read') && it.postData()?.includes(pressed) === true,
  )
  desktop.press(await pushed({ setting_cd: 'plan', notification_id: pressed }), '既読にする')
  await read
  desktop.dismiss(await pushed({ setting_cd: 'plan' }))
  await pushed({ setting_cd: 'plan' })
  expect(windows(phone, url)).toEqual(before)
}

test('every kind opens its page in the only window, whether that is open, hidden or closed', async ({
  server,
  network,
  phone,
}) => {
  const page = await readyPhone(phone, network.url)
  const front = await phone.context.newPage()
  const pushed = await pushing(server, network.url, phone, front)
  const debug = await phone.cdp(front)
  await debug.send('ServiceWorker.enable')
  const states = {
    open: () => page.bringToFront(),
    hidden: () => front.bringToFront(),
    closed: async () => {
      // A window that is closing still answers the worker, which then opens no other one; one may have opened meanwhile.
      await expect
        .poll(async () => {
          const others = phone.context.pages().filter((it) => it !== front && !it.isClosed())
          for (const it of others) await closePage(it, nothingWritten)
          return windowsOfWorker(phone)
        })
        .toBe(0)
      // Ten seconds after a press Chromium takes back the permission to open a window, also that of a later press which is just
      // beginning. A stopped worker has no earlier presses.
      await debug.send('ServiceWorker.stopAllWorkers')
    },
  }
  for (const [state, enter] of Object.entries(states))
    // Consecutive rows of the sample, too, have different destinations.
    for (const row of state === 'open' ? rows : sampleOf(rows, 5, 1)) {
      await enter()
      await opensItsPage(phone, network.url, pushed, row, state)
    }
  await opensNothing(phone, network.url, pushed)
  await phone.stop()
})
