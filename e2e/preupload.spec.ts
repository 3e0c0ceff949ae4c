// Preuploads: files are sent while the post is written, and nothing is posted before 投稿.
import type { Page } from '@playwright/test'
import { TUS_PATH } from '#contract/paths.ts'
import { defined } from '#contract/testing/defined.ts'
import { reload } from './rig/browsers/leaving.ts'
import { expectPublishedOnce, waitUntilQueueRests } from './rig/posting/delivery.ts'
import { preuploadSwitch, press, waitUntilStored, write } from './rig/posting/editor.ts'
import { creator, signInByCookie, sessionOf } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import { openTray } from './rig/posting/fault-matrix.ts'
import { expect, test } from './rig/story.ts'

const sent = (page: Page) => page.getByText('ファイルは送信済みです', { exact: false })

/** The ids of the uploads of the draft's files. */
function mediaIds(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((done, failed) => {
      const opening = indexedDB.open('todoke')
      opening.addEventListener('success', () => done(opening.result))
      opening.addEventListener('error', () => failed(opening.error ?? new Error('no database')))
    })
    const keys = await new Promise<string[]>((done) => {
      const reading = database.transaction('media').objectStore('media').getAll()
      reading.addEventListener('success', () =>
        done(reading.result.filter((it) => it.role === 'media').map((it: { id: string }) => it.id)),
      )
    })
    database.close()
    return keys
  })
}

/** The server's reply to the creator's request for an upload's offset. */
async function statusOf(url: string, id: string): Promise<number> {
  const { token } = await sessionOf(url, creator)
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  return (await fetch(`${url}${TUS_PATH}/${id}`, { method: 'HEAD', headers })).status
}

test('a video is sent while its text is written, and 投稿 sends none of its bytes again', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const content = '書いている間に届いた動画'
  await signInByCookie(phone.page, network.url, creator)
  await write(phone.page, network.url, { content, files: [largeVideo.path], preupload: true })
  await expect(sent(phone.page)).toBeVisible()
  // Settled: the device has sent all that it sends before 投稿.
  expect(await postsWithText(server.url, content)).toEqual([])
  const before = network.bytesSent
  await press(phone.page, network.url)
  await expectPublishedOnce({ server, network, phone, largeVideo }, content)
  expect(network.bytesSent - before).toBeLessThan(largeVideo.size * 0.05)
})

/** The highest progress in the tray's lines, in percent; 0 without a line. */
const highest = (lines: readonly string[]): number =>
  Math.max(0, ...lines.map((it) => Number(/\d+/.exec(it)?.[0])))

test('after 投稿 during a preupload only the rest is sent, and its progress is shown', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const content = '途中で投稿した動画'
  await signInByCookie(phone.page, network.url, creator)
  network.throttle(40_000_000)
  const before = network.bytesSent
  await write(phone.page, network.url, { content, files: [largeVideo.path], preupload: true })
  await network.waitUntilSent(before + largeVideo.size * 0.4)
  network.throttle(largeVideo.size / 10)
  await press(phone.page, network.url)
  await openTray(phone.page)
  const lines = phone.page.getByRole('dialog').getByText(/^送信中 \d+%/)
  await expect
    .poll(async () => highest(await lines.allInnerTexts()), { intervals: [100] })
    .toBeGreaterThan(70)
  network.throttle(40_000_000)
  await expectPublishedOnce({ server, network, phone, largeVideo }, content)
  expect(network.bytesSent - before).toBeLessThan(largeVideo.size * 1.1)
})

test(
  'a picture removed from the draft is deleted from the server; the others are posted',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const content = '一枚外した写真'
    const { page } = phone
    const pictures = await makePictures(2)
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content, files: pictures.map((it) => it.path), preupload: true })
    await expect(sent(page)).toBeVisible()
    const [first, second] = await mediaIds(page)
    await expect.poll(() => statusOf(server.url, defined(first))).toBe(200)
    await page.getByRole('button', { name: 'picture-1.jpgを外す' }).click()
    await expect.poll(() => statusOf(server.url, defined(first))).toBe(404)
    // Settled: the device has deleted what was removed.
    expect(await statusOf(server.url, defined(second))).toBe(200)
    await press(page, network.url)
    const post = await waitForPost(server.url, content)
    await expect.poll(() => originals(server.url, post)).toEqual([pictures[1]?.sha256])
  },
)

test(
  'a discarded draft deletes its preuploads from the server',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const [picture] = await makePictures(1)
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, {
      content: '破棄する下書き',
      files: [defined(picture).path],
      preupload: true,
    })
    await expect(sent(page)).toBeVisible()
    const [id] = await mediaIds(page)
    await page.getByRole('button', { name: /^下書き/ }).click()
    await page.getByRole('button', { name: '「破棄する下書き」を破棄' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '破棄する' }).click()
    await expect.poll(() => statusOf(server.url, defined(id))).toBe(404)
  },
)

test(
  'when preuploads are turned off, nothing is sent before 投稿, and the choice is stored',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const content = '押してから送る写真'
    const { page } = phone
    const [picture] = await makePictures(1)
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content, files: [defined(picture).path] })
    const [id] = await mediaIds(page)
    await waitUntilStored(page)
    await reload(page, [content, 'picture-1.jpg'])
    await expect(preuploadSwitch(page)).not.toBeChecked()
    await expect(page.getByRole('button', { name: /を外す$/ })).toHaveCount(1)
    await waitUntilQueueRests({ phone })
    // Settled: the editor shows the file, and no queue runs that would send it.
    expect(await statusOf(server.url, defined(id))).toBe(404)
    await press(page, network.url)
    const post = await waitForPost(server.url, content)
    await expect.poll(() => originals(server.url, post)).toEqual([picture?.sha256])
  },
)

test(
  'when the browser saves data, nothing is sent before 投稿',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', {
        value: Object.assign(new EventTarget(), { saveData: true }),
      })
    })
    const [picture] = await makePictures(1)
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/post/upload2`)
    await page.getByLabel('画像・動画を追加').setInputFiles(defined(picture).path)
    await expect(page.getByRole('button', { name: /を外す$/ })).toHaveCount(1)
    await expect(page.getByText('データセーバーがオンのため、「投稿」を押してから送信します。')).toBeVisible()
    await expect(preuploadSwitch(page)).toBeDisabled()
    const [id] = await mediaIds(page)
    await waitUntilStored(page)
    await waitUntilQueueRests({ phone })
    // Settled: the file is stored, and no queue runs that would send it.
    expect(await statusOf(server.url, defined(id))).toBe(404)
  },
)
