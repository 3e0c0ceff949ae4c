// Exhausted storage: the queue waits for the server's disk; a full quota refuses.
import type { Page } from '@playwright/test'
import { expectNoViolations, expectNoViolationsInEachLook } from './rig/axe.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { expectPublishedOnce, waitUntilDelivered } from './rig/posting/delivery.ts'
import { press, write } from './rig/posting/editor.ts'
import { creator, signInByCookie, signIn } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { waitForPost, postsWithText } from './rig/posting/posts.ts'
import { openTray } from './rig/posting/fault-matrix.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

/** More bytes than any disk has. */
const NEVER_FREE = String(2 ** 52)

const waiting = 'サーバーの空き容量が足りないため待っています。'

test.describe('a server without room', () => {
  test.use({ ownServer: true })

  for (const at of ['/post/upload2', '/post/upload'])
    test(
      `${at}: the video waits and shows why; when there is room it continues and is posted once`,
      { tag: '@deep' },
      async ({ server, network, phone }, info) => {
        const { page } = phone
        const content = `${at} 空きができたら届く`
        const largeVideo = makeVideo(`${temporaryFolder('room')}/room.mp4`, 12_000_000)
        await server.stop()
        await server.start(0, { MIN_FREE_DISK_BYTES: NEVER_FREE })
        await signInByCookie(page, network.url, creator)
        await write(page, network.url, { content, files: [largeVideo.path], at })
        await press(page, network.url)
        const tray = page.getByRole('region', { name: '送信中の投稿' })
        await expect(tray.getByText(/^サーバーの空きを待っています/)).toBeVisible()
        await expect(tray.getByText(waiting)).toBeVisible()
        await openTray(page)
        const sheet = page.getByRole('dialog', { name: '送信中の投稿' })
        await expect(sheet.getByText(/内容とファイルは、この端末に残っています。/)).toBeVisible()
        await expectNoViolationsInEachLook(page)
        await page.screenshot({ path: info.outputPath('waiting.png') })
        // Settled: the tray says that the server has refused the bytes of the video.
        expect(await postsWithText(server.url, content)).toEqual([])
        await server.stop()
        await server.start()
        await expectPublishedOnce({ server, network, phone, largeVideo }, content)
      },
    )

  test(
    'preuploads wait too, and the editor shows why',
    { tag: '@deep' },
    async ({ server, network, phone }) => {
      const { page } = phone
      await server.stop()
      await server.start(0, { MIN_FREE_DISK_BYTES: NEVER_FREE })
      await signInByCookie(page, network.url, creator)
      const files = (await makePictures(1)).map((it) => it.path)
      await write(page, network.url, { content: '書いている間', files, preupload: true })
      await expect(page.getByText(/^サーバーの空きを待っています \d+%。/)).toBeVisible()
      await expectNoViolations(page)
    },
  )

  test('a text without files is posted at once', { tag: '@deep' }, async ({ server, network, phone }) => {
    await server.stop()
    await server.start(0, { MIN_FREE_DISK_BYTES: NEVER_FREE })
    await signInByCookie(phone.page, network.url, creator)
    await write(phone.page, network.url, { content: '言葉だけはすぐに届く' })
    await press(phone.page, network.url)
    await waitForPost(server.url, '言葉だけはすぐに届く')
  })
})

test.describe('a person whose storage is full', () => {
  test.use({ ownServer: true })

  test(
    'is refused with the figure and a solution, keeps text and files, and can post text',
    { tag: '@deep' },
    async ({ server, network, phone }, info) => {
      const { page } = phone
      const content = '容量がいっぱい'
      await server.stop()
      await server.start(0, { STORED_BYTES_PER_PERSON: '1000' })
      await signInByCookie(page, network.url, creator)
      await write(page, network.url, { content, files: (await makePictures(1)).map((it) => it.path) })
      await press(page, network.url)
      const tray = page.getByRole('region', { name: '送信中の投稿' })
      await expect(tray.getByText('送信できませんでした')).toBeVisible()
      await page
        .getByRole('region', { name: '操作の結果' })
        .getByRole('button', { includeHidden: true })
        .click()
      await openTray(page)
      const sheet = page.getByRole('dialog', { name: '送信中の投稿' })
      await expect(sheet.getByText(/^保存容量の上限を超えるため、/).first()).toBeVisible()
      await expect(sheet.getByText(/MB を使用しています。/)).toBeVisible()
      await expectNoViolationsInEachLook(page)
      await page.screenshot({ path: info.outputPath('refused.png') })
      await sheet.getByRole('link', { name: '保存容量を確認する' }).click()
      await expect(page).toHaveURL(`${network.url}/settings`)
      await expect(page.getByText(/^上限に達しているため、/)).toBeVisible()
      await expectNoViolationsInEachLook(page)
      await page.screenshot({ path: info.outputPath('full.png') })
      await openTray(page)
      await page.getByRole('button', { name: '編集に戻る' }).click()
      await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue(content)
      await expect(page.getByRole('button', { name: /を外す$/ })).toHaveCount(1)
      await page.getByRole('button', { name: /を外す$/ }).click()
      await press(page, network.url)
      await waitForPost(server.url, content)
      await waitUntilDelivered({ phone })
      await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
    },
  )
})

test.describe('the figure in the settings', () => {
  const figure = (page: Page) => page.getByRole('progressbar', { name: '保存容量' })

  test(
    'is shown when it is read, and can be requested again after a failure',
    { tag: '@deep' },
    async ({ network, phone }, info) => {
      const { page, context } = phone
      await signIn(page, network.url, creator)
      let answer: 'late' | 'never' = 'late'
      let goOn = () => undefined as void
      const late = new Promise<void>((done) => (goOn = done))
      await context.route('**/api/user/storage', async (it) => {
        if (answer === 'never') return it.abort()
        await late
        return it.continue()
      })
      await page.goto(`${network.url}/settings`)
      const part = page.getByRole('region', { name: '保存容量' })
      await expect(part.getByText('読み込み中')).toBeAttached()
      await expectNoViolationsInEachLook(page)
      goOn()
      await expect(figure(page)).toBeVisible()
      await expect(part.getByText(/^\d+\.\d{2}MB \/ 100GB$/)).toBeVisible()
      await expectNoViolationsInEachLook(page)
      await page.screenshot({ path: info.outputPath('settings.png') })
      answer = 'never'
      await reload(page, nothingWritten)
      await expect(part.getByText(/^通信できませんでした。/)).toBeVisible()
      await expectNoViolationsInEachLook(page)
      await context.unroute('**/api/user/storage')
      await part.getByRole('button', { name: 'もう一度読み込む' }).click()
      await expect(figure(page)).toBeVisible()
    },
  )
})
