// The browser itself sends a large video, also while no page is open.
import type { Page } from '@playwright/test'
import {
  expectPublishedOnce,
  jobsOnDevice,
  type LargeUpload,
  waitUntilQueueRests,
} from './rig/posting/delivery.ts'
import { press, write } from './rig/posting/editor.ts'
import { originals, postsWithText, waitForPost } from './rig/posting/posts.ts'
import { makeVideo } from './rig/posting/video.ts'
import { creator, fillSignIn, signInByCookie } from './rig/people/people.ts'
import { closePage, nothingWritten } from './rig/browsers/leaving.ts'
import { openLoaded } from './rig/browsers/loading.ts'
import { temporaryFolder, until } from './rig/network/ports.ts'
import { expect, test } from './rig/story.ts'

const SIZE = 130_000_000
const GiB = 1024 ** 3

/** Uploads that the browser carries: of how many it has begun to send, and of how many not. */
const carried = (page: Page): Promise<{ begun: number; waiting: number }> =>
  page.evaluate(async () => {
    const { backgroundFetch } = (await navigator.serviceWorker.ready) as unknown as {
      backgroundFetch: {
        getIds(): Promise<string[]>
        get(id: string): Promise<{ uploaded: number } | undefined>
      }
    }
    const all = await Promise.all((await backgroundFetch.getIds()).map((id) => backgroundFetch.get(id)))
    const begun = all.filter((it) => it && it.uploaded > 0).length
    return { begun, waiting: all.length - begun }
  })

const waitUntilCarried = (page: Page, count: number): Promise<void> =>
  expect
    .poll(() => carried(page), { message: 'uploads that the browser carries' })
    .toEqual({ begun: count, waiting: 0 })

/** Publishes a large video, and waits until the browser sends it. */
async function publishCarried(
  it: Omit<LargeUpload, 'largeVideo'>,
  content: string,
  size = SIZE,
): Promise<LargeUpload> {
  const { phone, network } = it
  const largeVideo = makeVideo(`${temporaryFolder('carried')}/film.mp4`, size)
  await signInByCookie(phone.page, network.url, creator)
  // The browser begins no upload by itself before a page has come to rest.
  await openLoaded(phone.page, network.url)
  network.throttle(3_000_000)
  await write(phone.page, network.url, { content, files: [largeVideo.path] })
  await press(phone.page, network.url)
  await waitUntilCarried(phone.page, 1)
  return { ...it, largeVideo }
}

/** Waits until a post is public, while bytes of it arrive. */
async function untilPublic(
  { server, network }: Pick<LargeUpload, 'server' | 'network'>,
  text: string,
): Promise<void> {
  for (let isPublic = false; !isPublic;) {
    const before = network.bytesSent
    isPublic = await until(async () => {
      if ((await postsWithText(server.url, text)).length > 0) return 'public'
      return network.bytesSent > before + 10_000_000 ? 'moving' : undefined
    }, 'more bytes, or the post').then((it) => it === 'public')
  }
}

/** Expects one post with the picked bytes, and no job on the device, whose pages are closed until the post is public. */
async function expectPublishedWhileClosed(
  { server, network, phone, largeVideo }: LargeUpload,
  text: string,
): Promise<void> {
  const post = await waitForPost(server.url, text)
  await expect.poll(() => originals(server.url, post)).toEqual([largeVideo.sha256])
  const page = await phone.context.newPage()
  await page.goto(network.url)
  await expect.poll(() => page.evaluate(jobsOnDevice), { message: 'jobs left on the device' }).toBe(0)
  // Settled: the device has no job that could publish another.
  expect(await postsWithText(server.url, text)).toHaveLength(1)
}

test('a large video is published while every page is closed, once and with its bytes', async ({
  server,
  network,
  phone,
}) => {
  const text = 'アプリを閉じても届く'
  const it = await publishCarried({ server, network, phone }, text)
  for (const page of phone.context.pages()) await closePage(page, nothingWritten)
  network.throttle(Infinity)
  await expectPublishedWhileClosed(it, text)
})

test(
  'a film of 1 GiB is published while every page is closed, on a line that takes longer than the worker lives',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const text = '長い映画も閉じたまま届く'
    const it = await publishCarried({ server, network, phone }, text, GiB)
    for (const page of phone.context.pages()) await closePage(page, nothingWritten)
    network.throttle(2_500_000)
    await untilPublic(it, text)
    await expectPublishedWhileClosed(it, text)
  },
)

test('a carried video that is cancelled is never published, and the browser stops sending', async ({
  server,
  network,
  phone,
}) => {
  const text = '運ばれていてもやめる'
  const { page } = phone
  await publishCarried({ server, network, phone }, text)
  await page.getByRole('region', { name: '送信中の投稿' }).getByRole('button').click()
  await page.getByRole('button', { name: '送信を取り消す' }).click()
  await page.getByRole('button', { name: '取り消す', exact: true }).click()
  await expect.poll(() => page.evaluate(jobsOnDevice), { message: 'jobs left on the device' }).toBe(0)
  await waitUntilCarried(page, 0)
  // Settled: the device has no job, and the browser sends nothing.
  expect(await postsWithText(server.url, text)).toEqual([])
})

test(
  'after a sign-out the browser stops sending, and the rest is sent after the next sign-in',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const text = 'ログアウトしても残りが届く'
    const { page } = phone
    const it = await publishCarried({ server, network, phone }, text)
    await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: 'ログアウト' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'ログアウトする' }).click()
    await expect(page).toHaveURL(/\/login/)
    await waitUntilCarried(page, 0)
    await waitUntilQueueRests(it)
    // Settled: neither the queue nor the browser sends anything.
    expect(await postsWithText(server.url, text)).toEqual([])
    network.throttle(Infinity)
    await fillSignIn(page, creator)
    await expectPublishedOnce(it, text)
  },
)

test.describe('with a server that is killed', () => {
  test.use({ ownServer: true })

  test('the app sends what the browser gave up', async ({ server, network, phone }) => {
    const text = 'サーバーが落ちたら続きを送る'
    const it = await publishCarried({ server, network, phone }, text)
    await server.kill()
    // The browser gives up all that waits as soon as connections are refused.
    await waitUntilCarried(phone.page, 0)
    await server.start()
    network.throttle(Infinity)
    await expectPublishedOnce(it, text)
  })
})
