// A device without room for a picked file: the page that picked it uploads it.
import type { Page } from '@playwright/test'
import { press, write } from './rig/posting/editor.ts'
import { waitUntilDelivered } from './rig/posting/delivery.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { reload } from './rig/browsers/leaving.ts'
import type { Phone } from './rig/browsers/phone.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import { openTray } from './rig/posting/fault-matrix.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

// The browser has no room from its start.
test.use({ firstVisit: true })

const MB = 1_000_000

/** More than the app's own files take, less than these and one chunk. */
const ROOM = 5 * MB

/** Sets the quota before the app opens. Chromium caches a database's quota for half a minute. */
async function fill(phone: Phone, origin: string): Promise<void> {
  const debug = await phone.cdp()
  await debug.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: ROOM })
}

/** Runs in the page. @returns the size of the largest stored chunk, 0 without any */
async function largestChunk(): Promise<number> {
  const database = await new Promise<IDBDatabase>((done) => {
    const opening = indexedDB.open('todoke')
    opening.addEventListener('success', () => done(opening.result))
  })
  try {
    return await new Promise<number>((done) => {
      const reading = database.transaction('chunks').objectStore('chunks').getAll()
      reading.addEventListener('success', () =>
        done(Math.max(0, ...(reading.result as { size: number }[]).map((it) => it.size))),
      )
    })
  } finally {
    database.close()
  }
}

/** A frame of the video may be stored, but none of its chunks. */
async function keepsNothing(page: Page): Promise<void> {
  // Settled: the sentence about the room, which the stories await, comes when no chunk could be stored.
  expect(await page.evaluate(largestChunk)).toBeLessThan(MB)
}

test('a video without room is reported and sent from the open page, and posted once with its bytes', async ({
  server,
  network,
  phone,
}) => {
  const content = '空きがなくても届く'
  const video = makeVideo(`${temporaryFolder('room')}/room.mp4`, 12 * MB)
  const { page } = phone
  await fill(phone, network.url)
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content, files: [video.path] })
  await expect(
    page.getByText(/この端末の空き容量が足りないため（必要 11\.44MB[^必]*このページを開いたまま/),
  ).toBeVisible()
  network.throttle(4 * MB)
  await press(page, network.url)
  await expect(page.getByText(/このページを開いたままにしてください/).first()).toBeVisible()
  network.clearFaults()
  const post = await waitForPost(server.url, content)
  await expect.poll(() => originals(server.url, post)).toEqual([video.sha256])
  await waitUntilDelivered({ phone })
  await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
})

test(
  'after its page was closed, the same file continues when picked again, and another file is refused',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const content = '選び直して届く'
    const folder = temporaryFolder('room')
    // More bytes than the worker may have read ahead when the page closes.
    const video = makeVideo(`${folder}/room.mp4`, 30 * MB)
    const other = makeVideo(`${folder}/other.mp4`, 30 * MB, 7)
    const { page } = phone
    await fill(phone, network.url)
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content, files: [video.path] })
    await expect(page.getByText(/端末に保存せずに送信します/)).toBeVisible()
    await keepsNothing(page)
    network.throttle(4 * MB)
    const before = network.bytesSent
    await press(page, network.url)
    await network.waitUntilSent(before + 7 * MB)
    await reload(page, [content])
    await expect(page.getByText(/^ファイルの選び直しを待っています/).first()).toBeVisible()
    network.clearFaults()
    await openTray(page)
    const again = page.getByLabel('room.mp4を選び直す')
    await again.setInputFiles(other.path)
    await expect(
      page.getByText('元のファイルと内容が異なります。同じファイルを選択してください。').first(),
    ).toBeVisible()
    // Settled: the tray says that the other file was refused, so nothing of it is sent.
    expect(await postsWithText(server.url, content)).toEqual([])
    await again.setInputFiles(video.path)
    const post = await waitForPost(server.url, content)
    await expect.poll(() => originals(server.url, post)).toEqual([video.sha256])
    await waitUntilDelivered({ phone })
    await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
    // Received bytes were not sent again.
    expect(network.bytesSent - before).toBeLessThan(video.size * 1.5)
  },
)

test(
  'a file larger than the free room is reported with both sizes before it is copied',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const video = makeVideo(`${temporaryFolder('room')}/room.mp4`, 12 * MB)
    const { page } = phone
    await phone.context.addInitScript(() => {
      navigator.storage.estimate = async () => ({ quota: 20 * 1024 * 1024, usage: 3 * 1024 * 1024 })
    })
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content: '空きの数字', files: [video.path] })
    await expect(page.getByText(/（必要 11\.44MB、空き 1\.00MB）、端末に保存せずに送信します/)).toBeVisible()
    await keepsNothing(page)
  },
)
