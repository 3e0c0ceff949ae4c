// Images and videos of messages: picked, sent through a kill, refused, cancelled.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolations } from './rig/axe.ts'
import { killPhone, nothingWritten, reload, storedOnDevice } from './rig/browsers/leaving.ts'
import { rowsIn } from './rig/cached.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { apiOf } from './rig/people/api.ts'
import { openConversation, field, messagesOf, openAs } from './rig/people/conversations.ts'
import { creator, fan, kami } from './rig/people/people.ts'
import { makePictures, type Picture, publishReady } from './rig/posting/pictures.ts'
import { makeVideo } from './rig/posting/video.ts'
import { expect, test } from './rig/story.ts'

// Unread messages and their counts would be visible to other stories.
test.use({ ownServer: 'file' })

const MiB = 1024 * 1024
const clip = join(import.meta.dirname, 'fixtures/h264.mp4')
const add = (page: Page) => page.getByRole('button', { name: '画像・動画を追加' })
const picked = (page: Page) => page.getByRole('list', { name: '送信する画像・動画' }).getByRole('listitem')
const send = (page: Page) => page.getByRole('button', { name: '送信', exact: true })

/** Picks files on a touch screen, by the menu. */
async function pickByTouch(page: Page, paths: readonly string[]): Promise<void> {
  await add(page).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: '写真・動画を選択' }).click()
  await (await chooser).setFiles([...paths])
}

/** Picks files with a mouse, by the button. */
async function pick(page: Page, paths: readonly string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await add(page).click()
  await (await chooser).setFiles([...paths])
}

/** Whether a message with this text is queued on the device: its draft has the text too. */
const isQueued = (content: string) => async (page: Page) =>
  (await rowsIn(page, 'jobs')).some((it) => it.includes(content))
/** Whether every picked file is stored on the device: only then can the message be sent. */
const areStored = (page: Page) => send(page).isEnabled()

const desktop = { viewport: { width: 1280, height: 800 } }

test('a picture and a video sent offline survive a kill of the browser, arrive once and are seen', async ({
  server,
  network,
  phone,
  newPhone,
}) => {
  const [a, b] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, creator)])
  await openConversation(a, b)
  const [picture] = await makePictures(1)
  await openAs(phone.page, network.url, fan, b.id)
  await expect(phone.page.getByText('こんにちは')).toBeVisible()
  network.cut()
  await phone.context.setOffline(true)
  await expect(phone.page.getByText('オフラインです。')).toBeVisible()
  await pickByTouch(phone.page, [picture?.path ?? '', clip])
  await expect(picked(phone.page).getByRole('img')).toHaveCount(2)
  await field(phone.page).fill('海に着きました')
  await expectNoViolations(phone.page)
  await send(phone.page).click()
  const outgoing = (page: Page) => page.getByRole('listitem').filter({ hasText: '海に着きました' })
  await expect(outgoing(phone.page)).toContainText('接続が戻ると送信します')
  await expect(picked(phone.page)).toHaveCount(0)
  await expect(field(phone.page)).toHaveValue('')

  await killPhone(phone, isQueued('海に着きました'))
  await phone.start()
  const { page } = phone
  await page.goto(`${network.url}/chat-messages/${b.id}`)
  await expect(outgoing(page).getByRole('img')).toHaveCount(2)
  await expectNoViolations(page)
  network.restore()
  await expect(page.getByRole('article', { name: '自分' }).getByText('海に着きました')).toBeVisible()
  await expect(page.getByRole('button', { name: '送信を取り消す' })).toHaveCount(0)

  const stored = (await messagesOf(b, a.id)).filter((it) => it.body.content === '海に着きました')
  expect(stored.map((it) => it.body.media.map((media) => media.kind))).toEqual([['image', 'video']])
  const other = (await newPhone(desktop)).page
  await openAs(other, network.url, creator, a.id)
  const seen = other.getByRole('article', { name: a.name }).filter({ hasText: '海に着きました' })
  await expect(seen.getByRole('link').getByRole('img')).toBeVisible()
  await expect(seen.locator('video')).toHaveCount(1)
})

test(
  'a message takes ten images and one video; what it refuses is named, and a reload keeps the rest',
  { tag: '@deep' },
  async ({ server, network, newPhone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, kami), apiOf(server.url, creator)])
    await openConversation(a, b)
    const { page } = await newPhone(desktop)
    await openAs(page, network.url, kami, b.id)
    const pictures = await makePictures(11)
    await pick(page, [...pictures.map((it) => it.path), clip])
    await expect(page.getByText('picture-11.jpg：画像は1通に10枚まで送信できます。')).toBeVisible()
    await expect(picked(page)).toHaveCount(11)
    await pick(page, [clip, join(import.meta.dirname, 'messages.spec.ts')])
    await expect(page.getByText('h264.mp4：動画は1通に1本まで送信できます。')).toBeVisible()
    await expect(page.getByText('messages.spec.ts：この形式のファイルは送信できません。')).toBeVisible()
    await reload(page, areStored)
    await expect(picked(page)).toHaveCount(11)
    for (let n = 10; n > 1; n--) await page.getByRole('button', { name: `picture-${n}.jpgを外す` }).click()
    await expect(picked(page)).toHaveCount(2)
    await send(page).click()
    await expect
      .poll(async () => (await messagesOf(b, a.id)).at(-1)?.body.media.map((it) => it.kind))
      .toEqual(['image', 'video'])
  },
)

/** Gives the page a file as an event of the clipboard or of a drag has it. */
async function giveFile(page: Page, event: 'paste' | 'drop', path: string): Promise<void> {
  const bytes = readFileSync(path).toString('base64')
  await field(page).evaluate(
    (element, it) => {
      const data = new DataTransfer()
      const content = Uint8Array.from(atob(it.bytes), (character) => character.charCodeAt(0))
      data.items.add(new File([content], `${it.event}.jpg`, { type: 'image/jpeg' }))
      const options = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        it.event === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data }),
      )
    },
    { event, bytes },
  )
}

test(
  'pasted and dropped pictures are sent together',
  { tag: '@deep' },
  async ({ server, network, newPhone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, creator)])
    await openConversation(a, b)
    const { page } = await newPhone(desktop)
    await openAs(page, network.url, fan, b.id)
    const [first, second] = await makePictures(2)
    await giveFile(page, 'paste', defined(first).path)
    await expect(picked(page).getByRole('img')).toHaveCount(1)
    await giveFile(page, 'drop', defined(second).path)
    await expect(picked(page).getByRole('img')).toHaveCount(2)
    await send(page).click()
    await expect.poll(async () => (await messagesOf(b, a.id)).at(-1)?.body.media.length).toBe(2)
  },
)

test(
  'a picture that the server refused for a while is loaded when the connection is back or the page visible',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, creator)])
    await openConversation(a, b)
    const [{ path }] = (await makePictures(1)) as [Picture]
    const post = await publishReady(server.url, '遅れて見える写真', [
      { name: 'sea.jpg', bytes: Buffer.from(readFileSync(path)) },
    ])
    const desk = (await newPhone(desktop)).page
    await openAs(desk, network.url, creator, a.id)
    await pick(desk, [path])
    await send(desk).click()
    await expect.poll(async () => (await messagesOf(a, b.id)).at(-1)?.body.media.length).toBe(1)

    const { page } = phone
    // The browser's own emulation of a cut ends later in the worker than in the page.
    for (const [open, back] of [
      [
        () => openAs(page, network.url, fan, b.id),
        () => page.evaluate(() => dispatchEvent(new Event('online'))),
      ],
      [
        () => page.goto(`${network.url}/post/${post}`),
        () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
      ],
    ] as const) {
      network.begin('GET /api/media/', { is: 'answered', status: 503 })
      await open()
      const failed = page.getByRole('main').getByAltText('cannot show this file')
      // Other stories have sent pictures in this conversation too.
      await expect(failed).not.toHaveCount(0)
      network.clearFaults()
      await back()
      await expect(failed).toHaveCount(0)
      const pictures = page.getByRole('main').getByAltText(/1枚/)
      await expect.poll(() => pictures.evaluateAll(areLoaded)).toBe(true)
    }
  },
)

const areLoaded = (all: Element[]): boolean =>
  all.length > 0 && all.every((it) => it instanceof HTMLImageElement && it.complete && it.naturalWidth > 0)

test(
  'a message with a long video shows its progress and can be cancelled; nothing of it stays',
  { tag: '@deep' },
  async ({ server, network, newPhone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, kami), apiOf(server.url, creator)])
    await openConversation(a, b)
    const { page } = await newPhone(desktop)
    await openAs(page, network.url, kami, b.id)
    const before = (await messagesOf(b, a.id)).length
    const video = makeVideo(join(temporaryFolder('cancelled'), 'long.mp4'), 30 * MiB)
    await pick(page, [video.path])
    await field(page).fill('長い動画です')
    await expect(send(page)).toBeEnabled()
    network.throttle(2 * MiB)
    const sent = network.bytesSent
    await send(page).click()
    // Progress is counted by the server's replies, one for each part of 5 MiB.
    await network.waitUntilSent(sent + 6 * MiB)
    await expect(page.getByText(/^送信中 [1-9]\d?%・\d+\.\d\dMB \/ 30\.00MB$/)).toBeVisible()
    // Texts do not wait behind files.
    await field(page).fill('先に届く文章')
    await field(page).press('Control+Enter')
    await expect.poll(async () => (await messagesOf(b, a.id)).at(-1)?.body.content).toBe('先に届く文章')
    await page.getByRole('button', { name: '送信を取り消す' }).click()
    await page.getByRole('button', { name: '取り消す', exact: true }).click()
    network.clearFaults()
    await expect(page.getByRole('listitem').filter({ hasText: '長い動画です' })).toHaveCount(0)
    await expect.poll(() => rowsIn(page, 'jobs')).toEqual([])
    // Settled: the device has nothing left to send.
    expect((await messagesOf(b, a.id)).length).toBe(before + 1)
  },
)

test(
  'a message with files that a block refuses stays with its reason and is sent when the person tries again',
  { tag: '@deep' },
  async ({ server, network, newPhone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, kami), apiOf(server.url, fan)])
    await openConversation(a, b)
    const { page } = await newPhone(desktop)
    await openAs(page, network.url, kami, b.id)
    const [picture] = await makePictures(1)
    await pick(page, [picture?.path ?? ''])
    await expect(send(page)).toBeEnabled()
    await b.call('PUT', `/blocks/${a.id}`)
    await send(page).click()
    // The conversation is not shown to a blocked person; the list of deliveries is.
    await page.getByRole('button', { name: /^送信できませんでした/ }).click()
    await expect(page.getByRole('dialog').getByText('この相手にはメッセージを送れません。')).toBeVisible()
    await b.call('DELETE', `/blocks/${a.id}`)
    await reload(page, nothingWritten)
    const failed = page.getByRole('main').getByRole('alert').filter({ hasText: '送信できませんでした。' })
    await expect(failed).toContainText('この相手にはメッセージを送れません。')
    await failed.getByRole('button', { name: 'もう一度送信' }).click()
    await expect.poll(async () => (await messagesOf(b, a.id)).at(-1)?.body.media.length).toBe(1)
    await expect(failed).toHaveCount(0)
  },
)

test(
  'after the browser has cleared its storage, a page stores its picked files again; others are named and nothing is sent',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const [a, b] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, creator)])
    await openConversation(a, b)
    const { page } = phone
    const [picture] = await makePictures(1)
    await openAs(page, network.url, fan, b.id)
    const debug = await phone.cdp()
    const clear = () =>
      debug.send('Storage.clearDataForOrigin', { origin: network.url, storageTypes: 'indexeddb' })
    const problem = page.getByText('picture-1.jpg：この端末の保存領域が消去されたため、外れました。')
    await pickByTouch(page, [picture?.path ?? '', clip])
    await field(page).fill('選んだままの二枚')
    await expect(picked(page).getByRole('img')).toHaveCount(2)
    await expect(send(page)).toBeEnabled()
    await clear()
    // A press before the files are stored again changes nothing.
    await expect
      .poll(async () => {
        if (await send(page).isEnabled()) await send(page).click()
        return picked(page).count()
      })
      .toBe(0)
    const last = async () => (await messagesOf(b, a.id)).at(-1)?.body
    await expect
      .poll(last)
      .toMatchObject({ content: '選んだままの二枚', media: [{ kind: 'image' }, { kind: 'video' }] })
    await expect(problem).toHaveCount(0)

    await pickByTouch(page, [picture?.path ?? ''])
    await field(page).fill('消えた一枚')
    // The preview is shown before the picture is stored.
    await expect(send(page)).toBeEnabled()
    await storedOnDevice(page, ['消えた一枚'])
    await reload(page, areStored)
    await expect(picked(page).getByRole('img')).toHaveCount(1)
    await clear()
    await expect(problem).toBeVisible()
    await expect(picked(page)).toHaveCount(0)
    await expect(field(page)).toHaveValue('消えた一枚')
    await expectNoViolations(page)
    // Settled: the text is still in the field, and the cleared device has no message to send.
    expect((await last())?.content).toBe('選んだままの二枚')
  },
)
