// Moving pictures: still where motion is reduced, played and stopped on request.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { expectNoViolations } from './rig/axe.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { apiOf } from './rig/people/api.ts'
import { openAs, openConversation } from './rig/people/conversations.ts'
import { creator, fan, kami, signInByCookie } from './rig/people/people.ts'
import { draftHas, openEditor, pick } from './rig/posting/picked.ts'
import { moving, publishReady } from './rig/posting/pictures.ts'
import { expect, test } from './rig/story.ts'

/** Expects a loaded picture: its first frame alone, or the moving one. */
async function expectShown(picture: Locator, is: 'still' | 'moving'): Promise<void> {
  const address = () =>
    picture.evaluate((it) => {
      const { complete, naturalWidth, currentSrc } = it as HTMLImageElement
      return complete && naturalWidth > 0 ? (currentSrc.includes('/still') ? 'still' : 'moving') : 'none'
    })
  await expect.poll(address).toBe(is)
}

test(
  'a moving picture is still where motion is reduced, and moves in feed, post and viewer once it is played',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const { id } = await apiOf(server.url, creator)
    await publishReady(server.url, '動く画像です', [{ name: 'moving.gif', bytes: await moving() }])
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/profile/${id}`)
    const card = page.getByRole('article').filter({ hasText: '動く画像です' })
    const inCard = card.getByRole('img', { name: '1枚中1枚目' })
    const button = (action: '再生' | '停止') => page.getByRole('button', { name: `動く画像を${action}` })
    await expectShown(inCard, 'still')
    await expectNoViolations(page)
    await button('再生').click()
    await expectShown(inCard, 'moving')
    // The press has not opened the post.
    await expect(page).toHaveURL(new RegExp(`/profile/${id}`))

    await card.getByRole('link', { name: /1枚中1枚目/ }).click()
    const enlarge = page.getByRole('button', { name: /1枚中1枚目/ })
    await expectShown(enlarge.getByRole('img'), 'moving')
    await button('停止').click()
    await expectShown(enlarge.getByRole('img'), 'still')
    await expectNoViolations(page)

    await enlarge.click()
    const viewer = page.getByRole('dialog', { name: '画像の拡大表示' })
    await expectShown(viewer.locator('img'), 'still')
    await viewer.getByRole('button', { name: '動く画像を再生' }).click()
    await expectShown(viewer.locator('img'), 'moving')
    await expectNoViolations(page)
  },
)

test(
  'elsewhere it moves until it is stopped, also after a look at another page',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const { id } = await apiOf(server.url, creator)
    await publishReady(server.url, '止める画像です', [{ name: 'moving.gif', bytes: await moving() }])
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/profile/${id}`)
    const card = page.getByRole('article').filter({ hasText: '止める画像です' })
    const picture = card.getByRole('img', { name: '1枚中1枚目' })
    await expectShown(picture, 'moving')
    await card.getByRole('button', { name: '動く画像を停止' }).click()
    await expectShown(picture, 'still')
    await page.getByRole('link', { name: '検索' }).first().click()
    await expect(page).toHaveURL(/search/)
    await page.goBack()
    await expectShown(picture, 'still')
  },
)

/** Keeps the bytes behind each object URL, which pages of this app may not fetch. */
const keepObjectUrls = (page: Page) =>
  page.addInitScript(() => {
    const blobs = new Map<string, Blob>()
    const create = URL.createObjectURL.bind(URL)
    URL.createObjectURL = (it: Blob) => {
      const url = create(it)
      blobs.set(url, it)
      return url
    }
    Object.assign(globalThis, { blobs })
  })

/** Frames of a picture that the page shows by an object URL; 0 while it shows none. */
const framesOf = async (picture: Locator): Promise<number> => {
  const bytes = await picture.evaluate(async (it) => {
    const { complete, naturalWidth, src } = it as HTMLImageElement
    const { blobs } = globalThis as unknown as { blobs: ReadonlyMap<string, Blob> }
    const blob = complete && naturalWidth > 0 ? blobs.get(src) : undefined
    return blob && Array.from(new Uint8Array(await blob.arrayBuffer()))
  })
  return bytes ? ((await sharp(Buffer.from(bytes)).metadata()).pages ?? 1) : 0
}

/** Stores the moving picture as a file. @returns its path */
async function movingFile(): Promise<string> {
  const path = join(temporaryFolder('moving'), 'moving.gif')
  writeFileSync(path, await moving())
  return path
}

for (const [reducedMotion, frames] of [
  ['reduce', 1],
  ['no-preference', 2],
] as const)
  test(
    `a picked moving picture has ${frames} frame(s) in the editor, the drafts and messages (motion: ${reducedMotion})`,
    { tag: '@deep' },
    async ({ server, network, phone: { page } }) => {
      const path = await movingFile()
      await page.emulateMedia({ reducedMotion })
      await keepObjectUrls(page)
      await openEditor(page, network.url)
      await pick(page, [path])
      await expect.poll(() => framesOf(page.getByRole('img', { name: 'moving.gif' }))).toBe(frames)
      await page.getByRole('button', { name: /moving\.gifに説明を付ける/ }).click()
      await expect.poll(() => framesOf(page.getByRole('dialog').locator('img'))).toBe(frames)
      await page.getByRole('button', { name: '閉じる' }).click()
      await expect.poll(() => draftHas('moving.gif')(page)).toBe(true)
      await page.getByRole('banner').getByRole('button', { name: '下書き' }).click()
      const drafts = page.getByRole('dialog', { name: '下書き' })
      await expect.poll(() => framesOf(drafts.locator('img'))).toBe(frames)

      const [a, b] = await Promise.all([apiOf(server.url, fan), apiOf(server.url, kami)])
      await openConversation(a, b)
      await openAs(page, network.url, fan, b.id)
      await page.getByRole('button', { name: '画像・動画を追加' }).click()
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('menuitem', { name: '写真・動画を選択' }).click()
      await (await chooser).setFiles([path])
      await expect.poll(() => framesOf(page.getByRole('img', { name: 'moving.gif' }))).toBe(frames)
    },
  )

test(
  'a moving picture that is picked for a profile or a thumbnail is still, as it will be shown',
  { tag: '@deep' },
  async ({ network, phone: { page } }) => {
    const path = await movingFile()
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await keepObjectUrls(page)
    await openEditor(page, network.url)
    await pick(page, [join(import.meta.dirname, 'fixtures/h264.mp4')])
    await page.locator('input[type=file][aria-label="画像を選ぶ"]').setInputFiles(path)
    await expect.poll(() => framesOf(page.getByRole('img', { name: 'サムネイル' }))).toBe(1)
    await page.goto(`${network.url}/profile/edit`)
    await page.getByLabel('アイコンを変更').last().setInputFiles(path)
    const sheet = page.getByRole('dialog', { name: '表示する範囲' })
    await expect.poll(() => framesOf(sheet.locator('img').first())).toBe(1)
  },
)
