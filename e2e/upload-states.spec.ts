// The states of a post's upload on the screen, and the actions for each.
import { copyFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectToCloseAfter, waitForToast } from './rig/browsers/toasts.ts'
import {
  expectPublishedOnce,
  sendPart,
  waitUntilDelivered,
  waitUntilQueueRests,
} from './rig/posting/delivery.ts'
import { postButton, press, write } from './rig/posting/editor.ts'
import { creator, kami, fillSignIn, signInByCookie, sessionOf } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { waitForPost, postsWithText } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

const failed = 'エラーが発生しました。再度投稿をお試しください。'

const openTray = (page: Page): Promise<void> =>
  page.getByRole('region', { name: '送信中の投稿' }).getByRole('button').click()

const film = new URL('fixtures/h264.mp4', import.meta.url).pathname

test('a paused file waits, and continues from its offset', async ({ server, network, phone, largeVideo }) => {
  const it = { server, network, phone, largeVideo }
  const { page } = phone
  await sendPart(it, '一時停止しても届く')
  await openTray(page)
  await page.getByRole('button', { name: /を一時停止$/ }).click()
  const resume = page.getByRole('button', { name: /の送信を再開$/ })
  await expect(resume).toBeVisible()
  await waitUntilQueueRests(it)
  const before = network.bytesSent
  await resume.click()
  await expectPublishedOnce(it, '一時停止しても届く')
  expect(network.bytesSent - before).toBeLessThan(largeVideo.size * 0.8)
})

test(
  'a video waits after a sign-out, and the rest is sent after the next sign-in',
  { tag: '@deep' },
  async ({ server, network, phone, largeVideo }) => {
    const it = { server, network, phone, largeVideo }
    const { page } = phone
    await sendPart(it, 'ログアウトしても届く')
    await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: 'ログアウト' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('送信待ちの投稿1件はこの端末に残り')
    await question.getByRole('button', { name: 'ログアウトする' }).click()
    await expect(page).toHaveURL(/\/login/)
    await waitUntilQueueRests(it)
    // Settled: no queue runs on the device, which has not sent all of the video.
    expect(await postsWithText(server.url, 'ログアウトしても届く')).toEqual([])
    const before = network.bytesSent
    await fillSignIn(page, creator)
    await expect(page).toHaveURL(`${network.url}/`)
    await expectPublishedOnce(it, 'ログアウトしても届く')
    expect(network.bytesSent - before).toBeLessThan(largeVideo.size * 0.8)
  },
)

test('a refusal of the server is shown, and the post can return to the editor', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  const content = '動画のつもり'
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content, files: [film] })
  const body = JSON.stringify({ error: { code: 'unsupported_media' } })
  network.once('POST /api/post/add', { is: 'answered', status: 415, body })
  await press(page, network.url)
  await expect(page.getByRole('region', { name: '操作の結果' }).getByText(failed)).toBeVisible()
  await openTray(page)
  const list = page.getByRole('dialog', { name: '送信中の投稿' })
  await expect(list.getByText('この形式のファイルは投稿できません。')).toBeVisible()
  await page.getByRole('button', { name: '編集に戻る' }).click()
  await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue(content)
  await page.getByRole('button', { name: 'h264.mp4を外す' }).click()
  await press(page, network.url)
  await waitForPost(server.url, content)
  await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
})

test('a submission that fails in the page shows the alert, keeps the editor open, and can be repeated', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  const content = '押しても届かなかった投稿'
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content })
  // The device refuses to store the job, as a damaged database does.
  await page.evaluate(() => {
    const { put, add } = IDBObjectStore.prototype
    const refuse = (of: typeof put): typeof put =>
      function (this: IDBObjectStore, ...values) {
        if (this.name === 'jobs') throw new DOMException('refused', 'UnknownError')
        return of.apply(this, values)
      }
    Object.assign(IDBObjectStore.prototype, { put: refuse(put), add: refuse(add) })
    Object.assign(window, { repair: () => Object.assign(IDBObjectStore.prototype, { put, add }) })
  })
  await postButton(page).click()
  await expect(page.getByRole('region', { name: '操作の結果' }).getByText(failed)).toBeVisible()
  await expect(page).toHaveURL(/\/post\/upload2/)
  await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue(content)
  await expect(postButton(page)).toBeEnabled()
  await page.evaluate(() => (window as unknown as { repair: () => void }).repair())
  await press(page, network.url)
  await waitForPost(server.url, content)
  await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
})

test('a failure is reported once, on any page, and the tray closes when the page changes', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content: '一度だけ知らせる' })
  const body = JSON.stringify({ error: { code: 'invalid' } })
  network.once('POST /api/post/add', { is: 'answered', status: 422, body })
  // The layout changes from the editor to home while the post fails.
  await press(page, network.url)
  const notes = page.getByRole('region', { name: '操作の結果' })
  const alert = notes.getByText(failed)
  const tabs = page.getByRole('navigation', { name: 'メインメニュー' })
  await expect(alert).toBeVisible()
  await expect(tabs).toBeVisible()
  await expect(alert).toHaveCount(1)
  await notes.getByRole('button', { includeHidden: true }).click()
  await expect(alert).toHaveCount(0)
  await tabs.getByRole('link', { name: '通知' }).click()
  await expect(page.getByRole('heading', { name: '通知' })).toBeVisible()
  await expect(page.getByRole('region', { name: '送信中の投稿' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'ホーム' })).toBeVisible()
  await expect(page.getByRole('heading', { name: '通知' })).toBeHidden()
  await expect(page.getByRole('region', { name: '送信中の投稿' })).toBeVisible()
  await expect(alert).toHaveCount(0)
  await page.goForward()
  await openTray(page)
  const list = page.getByRole('dialog', { name: '送信中の投稿' })
  await expect(list).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(`${network.url}/`)
  await expect(list).toBeHidden()
})

test('a cancelled video is not posted, and its draft stays', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const it = { server, network, phone, largeVideo }
  const { page } = phone
  const content = 'やっぱりやめる'
  await sendPart(it, content, 0.1)
  await openTray(page)
  await page.getByRole('button', { name: '送信を取り消す' }).click()
  await page.getByRole('button', { name: '取り消す', exact: true }).click()
  await waitUntilDelivered({ phone })
  await page.goto(`${network.url}/post/upload2`)
  await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue(content)
  await expect(page.getByRole('button', { name: /を外す$/ })).toHaveCount(1)
  // Settled: the device has no jobs.
  expect(await postsWithText(server.url, content)).toEqual([])
})

test(
  'refused files are reported, and the draft keeps its other files',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    const folder = temporaryFolder('files')
    const tooBig = join(folder, 'film.mp4')
    copyFileSync(film, tooBig)
    truncateSync(tooBig, 1024 * 1024 * 1024 + 1)
    const notes = join(folder, 'notes.txt')
    writeFileSync(notes, 'ひとこと')
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content: '選んでみる' })
    const picker = page.getByLabel('画像・動画を追加')
    await picker.setInputFiles([tooBig])
    await expect(page.getByText('1GB以下のファイルを選択してください')).toBeVisible()
    await picker.setInputFiles([notes])
    await expect(page.getByText('not support file')).toBeVisible()
    // A valid choice clears the error.
    await picker.setInputFiles((await makePictures(1)).map((it) => it.path))
    await expect(page.getByText('not support file')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /を外す$/ })).toHaveCount(1)
    await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue('選んでみる')
  },
)

/** Whether a box is at the top right of a page of 1280 px. */
const isAtTopRight = (box: { x: number; y: number } | null): boolean =>
  box !== null && box.x > 640 && box.y < 200

test(
  'the completion is shown at the top right and disappears after five seconds',
  { tag: '@deep' },
  async ({ network, newPhone }) => {
    const { page } = await newPhone({ viewport: { width: 1280, height: 800 } })
    await page.clock.install()
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content: '右上に出る' })
    const toast = page.getByRole('region', { name: '操作の結果' }).getByText('投稿が完了しました。')
    await waitForToast(toast, async () => {
      await postButton(page).click()
      // A toast under the pointer stays, so the pointer leaves the button that was pressed.
      await page.mouse.move(100, 700)
    })
    await expect.poll(async () => isAtTopRight(await toast.boundingBox())).toBe(true)
    await expectToCloseAfter(toast, 5000)
  },
)

test(
  'a picture that does not load is emptied and has the alternative text',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const content = '見えない写真'
    const { page } = phone
    // Blocked from the first request, since loaded pictures are cached on the device.
    await phone.context.route('**/api/media/**', (it) => it.abort())
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content, files: (await makePictures(1)).map((it) => it.path) })
    await press(page, network.url)
    const post = await waitForPost(server.url, content)
    await page.goto(`${network.url}/post/${post.id}`)
    const broken = page.getByRole('main').getByAltText('cannot show this file')
    await expect(broken).toHaveCount(1)
    await expect(broken).not.toHaveAttribute('src')
    // A cover is emptied too; the first letter of the name replaces an avatar.
    const { user } = await sessionOf(server.url, creator)
    await page.goto(`${network.url}/profile/${user.id}`)
    const head = page.getByRole('main').locator('section').first()
    await expect(head.getByAltText('cannot show this file')).toHaveCount(1)
    // The avatar of another person, since the viewer's own may be cached already.
    const other = await sessionOf(server.url, kami)
    await page.goto(`${network.url}/profile/${other.user.id}`)
    await expect(head.locator(`[data-letter="${other.user.name.slice(0, 1)}"]`)).toBeVisible()
    await expect(head.locator('img[src]')).toHaveCount(0)
  },
)
