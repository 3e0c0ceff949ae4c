// System notifications about the end of a post while the app is closed or hidden.
import type { Page } from '@playwright/test'
import { waitUntilDelivered, waitUntilQueueRests } from './rig/posting/delivery.ts'
import { press, waitUntilStored, write } from './rig/posting/editor.ts'
import { creator, signInByCookie, signIn } from './rig/people/people.ts'
import { until } from './rig/network/ports.ts'
import { waitForPost } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

interface Shown {
  title: string
  body: string
}

// These run in the worker, whose types are not available here.
const readNotices = `registration.getNotifications().then((all) => all.map(({ title, body }) => ({ title, body })))`
const queueRests = `navigator.locks.query().then(({ held }) => !held.some(({ name }) => name === 'todoke-drain'))`
const pressNotice = `registration.getNotifications().then(([notification]) => {
  dispatchEvent(new NotificationEvent('notificationclick', { notification }))
})`

/** Grants the permission when it is requested, since the offer disappears with the permission. */
async function willGrant(page: Page): Promise<() => number> {
  let requests = 0
  await page.exposeFunction('grant', async () => {
    requests += 1
    await page.context().grantPermissions(['notifications'])
  })
  await page.addInitScript(`{
    const request = Notification.requestPermission.bind(Notification)
    Notification.requestPermission = () => grant().then(() => request())
  }`)
  return () => requests
}

test('notifications are offered in the tray, and the permission is requested once', async ({
  network,
  phone,
}) => {
  const { page } = phone
  const timesAsked = await willGrant(page)
  await signIn(page, network.url, creator)
  // Without network the home page comes from the worker.
  await page.evaluate(async () => navigator.serviceWorker.ready)
  await write(page, network.url, { content: '通知を頼む投稿' })
  network.cut()
  await press(page, network.url)
  await page.getByRole('region', { name: '送信中の投稿' }).getByRole('button').click()
  const offer = page.getByRole('button', { name: '送信が終わったら通知を受け取る' })
  await offer.click()
  await expect(offer).toBeHidden()
  await expect.poll(() => page.evaluate(() => Notification.permission)).toBe('granted')
  expect(timesAsked()).toBe(1)
})

test('a post published while the app is closed is notified, and pressing the notification opens it', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const content = '閉じている間に届いた投稿'
  const { context } = phone
  await context.grantPermissions(['notifications'])
  await signInByCookie(phone.page, network.url, creator)
  // The post cannot be published before the app is closed.
  network.throttle(4_000_000)
  await write(phone.page, network.url, { content, files: [largeVideo.path] })
  await waitUntilStored(phone.page)
  await press(phone.page, network.url)
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  // The app's only window shows another page.
  await phone.page.goto('about:blank')
  network.throttle(Number.POSITIVE_INFINITY)
  const post = await waitForPost(server.url, content)
  // Chromium drops a notification that is shown while others are listed, so they are listed after the queue has ended.
  await until(async () => (await worker.evaluate<boolean>(queueRests)) || undefined, 'the queue to rest')
  const [notice] = await until(async () => {
    const shown = await worker.evaluate<Shown[]>(readNotices)
    return shown.length > 0 ? shown : undefined
  }, 'the notice')
  expect(notice).toMatchObject({ title: '投稿が完了しました', body: `「${content}」を公開しました。` })
  await phone.page.goto(network.url)
  await expect(phone.page.getByRole('heading', { name: 'ホーム' })).toBeVisible()
  await worker.evaluate(pressNotice)
  await expect(phone.page).toHaveURL(`${network.url}/post/${post.id}`)
})

test(
  'while the app is visible no notification is shown',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const content = '見ている間に届いた投稿'
    const { context, page } = phone
    await context.grantPermissions(['notifications'])
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content })
    await press(page, network.url)
    await waitForPost(server.url, content)
    await expect(page.getByText('投稿が完了しました。')).toBeVisible()
    // The queue shows its notifications before it ends its run.
    await waitUntilDelivered({ phone })
    await waitUntilQueueRests({ phone })
    const count = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      return (await registration.getNotifications()).length
    })
    expect(count).toBe(0)
  },
)
