// Pushes of messages: opened, answered and marked as read, also without network.
import { Desktop, isDesktopInstalled } from './rig/browsers/desktop.ts'
import { closePage, nothingWritten } from './rig/browsers/leaving.ts'
import type { Phone } from './rig/browsers/phone.ts'
import { rowsBy } from './rig/cached.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { openConversation, sendBy } from './rig/people/conversations.ts'
import { creator, fan } from './rig/people/people.ts'
import { deliverPush, PushService, subscribeTo } from './rig/people/push.ts'
import { readyPhone, windows } from './rig/people/push-phone.ts'
import { expect, test } from './rig/story.ts'

let desktop: Desktop
let service: PushService
test.skip(!isDesktopInstalled(), 'dbus-daemon and gjs are not installed')
test.use({ ownServer: true, ownPhone: true })
test.beforeAll(async () => {
  service = await PushService.start()
  desktop = await Desktop.start()
})
test.afterAll(() => {
  desktop.stop()
  service.stop()
})

interface Receiving {
  /** Sends a message, and delivers its push. @returns what the desktop shows */
  readonly pushed: (from: Api, to: Api, content: string) => ReturnType<Desktop['next']>
}

/** The creator's phone, which receives pushes and has no page of the app. */
async function closedApp(url: string, phone: Phone): Promise<Receiving> {
  const [device] = service.devices
  if (!device) throw new Error('no device')
  await subscribeTo(phone.page, device)
  const app = await readyPhone(phone, url)
  await app.getByRole('button', { name: '通知を受け取る' }).click()
  await expect(app.getByText('この端末で通知を受け取ります。')).toBeVisible()
  const page = await phone.context.newPage()
  const deliver = await deliverPush(phone, page, url)
  await closePage(app, nothingWritten)
  const pushed: Receiving['pushed'] = async (from, to, content) => {
    const [sent, shown] = [service.arrived.length, desktop.shown.length]
    await sendBy(from, to, content)
    await deliver(await service.next(sent))
    return desktop.next(shown)
  }
  return { pushed }
}

/** The texts of the conversation, as the server has them. */
async function textsOnServer(me: Api, other: Api): Promise<string[]> {
  const { messages } = (await me.call('GET', `/conversations/${other.id}/messages`)) as {
    messages: { body: { content: string } }[]
  }
  return messages.map((it) => it.body.content)
}

const unreadOf = async (me: Api, other: Api) =>
  ((await me.call('GET', `/conversations/${other.id}`)) as { unread: number }).unread

test(
  'a push of a message opens its conversation without network, and is answered and marked as read',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, creator)])
    await openConversation(a, b)
    await b.call('PUT', `/conversations/${a.id}/read`, { seq: 2 })
    const { url } = network
    const { pushed } = await closedApp(url, phone)

    // 既読にする marks up to this message, and opens nothing.
    const first = await pushed(a, b, 'ライブのチケットが取れました')
    expect(first).toMatchObject({
      title: a.name,
      body: expect.stringContaining('ライブのチケットが取れました'),
    })
    desktop.press(first, '既読にする')
    await expect.poll(() => unreadOf(b, a)).toBe(0)
    expect(windows(phone, url)).toEqual([])

    // Without network: the push has brought the conversation.
    const second = await pushed(a, b, '席は前から三列目です')
    const [worker] = phone.context.serviceWorkers()
    if (!worker) throw new Error('no worker')
    const hasRow = (store: string, text: string) => async () =>
      (await rowsBy(worker, store)).some((it) => it.includes(text))
    await expect.poll(hasRow('answers', '席は前から三列目です')).toBe(true)
    network.cut()
    const opened = phone.context.waitForEvent('page')
    desktop.press(second)
    const app = await opened
    await expect(app).toHaveURL(`${url}/chat-messages/${a.id}`)
    const shown = app.getByRole('article')
    await expect(shown.getByText('席は前から三列目です')).toBeInViewport()
    await expect(shown.getByText('ライブのチケットが取れました')).toBeVisible()
    // The message was read, which is queued.
    await closePage(app, hasRow('acts', 'readConversation'))
    network.restore()

    // 返信 in the field of the notification; sent when the network is back, and once.
    const third = await pushed(a, b, '当日は早めに行きますね')
    network.cut()
    desktop.reply(third, '楽しみにしています')
    await expect.poll(hasRow('acts', '楽しみにしています')).toBe(true)
    network.restore()
    await expect.poll(() => textsOnServer(b, a)).toContain('楽しみにしています')
    await expect.poll(() => unreadOf(b, a)).toBe(0)
    await expect.poll(() => rowsBy(worker, 'acts')).toEqual([])
    // Settled: the device has nothing left to send.
    expect((await textsOnServer(b, a)).filter((it) => it === '楽しみにしています')).toHaveLength(1)
    expect(windows(phone, url)).toEqual([])
    await phone.stop()
  },
)
