// A video's thumbnail: its frame at 2 s, or a chosen picture.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PostView } from '#contract/posts/posts.ts'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { defined } from '#contract/testing/defined.ts'
import { reload } from './rig/browsers/leaving.ts'
import { postButton, press, write } from './rig/posting/editor.ts'
import { creator, signInByCookie, sessionOf } from './rig/people/people.ts'
import { openEditor, pick, storedFiles, filesInDraft } from './rig/posting/picked.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { temporaryFolder, until } from './rig/network/ports.ts'
import { waitForPost, releasedPosts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

const video = join(import.meta.dirname, 'fixtures/h264.mp4')
/** Mean red, green and blue of the video's frame at 2 s. */
const moment = [122, 130, 125]

/** Waits for a post's poster. @returns its shape and mean colour */
async function posterOf(url: string, posted: PostView) {
  const { token } = await sessionOf(url, creator)
  return until(async () => {
    const post = (await releasedPosts(url)).find((it) => it.id === posted.id)
    const media = post?.access.is === 'full' ? post.access.media[0] : undefined
    if (media?.kind !== 'video' || !media.poster) return undefined
    const answer = await fetch(new URL(media.poster, url), { headers: { authorization: `Bearer ${token}` } })
    const picture = sharp(Buffer.from(await answer.arrayBuffer()))
    const [{ width, height }, { channels }] = [await picture.metadata(), await picture.stats()]
    return { shape: width / height, colour: channels.slice(0, 3).map((it) => Math.round(it.mean)) }
  }, 'the poster')
}

test('the frame at 2 s is the thumbnail unless a picture is chosen', async ({ server, network, phone }) => {
  const { page } = phone
  const content = '二秒の場面'
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content, files: [video] })
  await expect(page.getByText('動画の2秒の場面')).toBeVisible()
  await press(page, network.url)
  const { shape, colour } = await posterOf(server.url, await waitForPost(server.url, content))
  expect(shape).toBeCloseTo(16 / 9, 1)
  // The frame is of the video, not black or empty.
  for (const [i, part] of moment.entries()) expect(Math.abs((colour[i] ?? 0) - part)).toBeLessThan(12)
})

test(
  'where the page paints no frame, the decoder takes it, and no black one is stored',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await page.addInitScript('HTMLVideoElement.prototype.requestVideoFrameCallback = () => 0')
    const workerRequest = page.waitForRequest(/\/video-worker-/)
    await openEditor(page, network.url)
    await pick(page, [video])
    await workerRequest
    await expect(page.getByText('動画の2秒の場面')).toBeVisible()
    for (const [i, part] of (await frameIn(page)).entries())
      expect(Math.abs((moment[i] ?? 0) - part)).toBeLessThan(12)
  },
)

test('a chosen picture is the thumbnail', { tag: '@deep' }, async ({ server, network, phone }) => {
  const { page } = phone
  const content = '選んだ一枚'
  const file = join(temporaryFolder('thumbnail'), 'square.png')
  await sharp({ create: { width: 400, height: 400, channels: 3, background: '#c83c28' } })
    .png()
    .toFile(file)
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content, files: [video] })
  const input = page.locator('input[type=file][aria-label="画像を選ぶ"]')
  // Section 5: only images are accepted, by the bytes of the file.
  await expect(input).toHaveAttribute('accept', 'image/*,.jpg,.jpeg,.png,.gif,.svg,.webp,.heic')
  await input.setInputFiles(video)
  await expect(page.getByRole('alert').getByText('not support file')).toBeVisible()
  await expect(page.getByText('選んだ画像')).toBeHidden()
  await input.setInputFiles(file)
  await expect(page.getByText('選んだ画像')).toBeVisible()
  await press(page, network.url)
  const { shape, colour } = await posterOf(server.url, await waitForPost(server.url, content))
  expect(shape).toBe(1)
  for (const [i, part] of [200, 60, 40].entries()) expect(Math.abs((colour[i] ?? 0) - part)).toBeLessThan(8)
})

/** Mean red, green and blue of the frame the device has stored. */
async function frameIn(page: Page): Promise<number[]> {
  const frame = (await storedFiles(page)).find((it) => it.name === 'frame.jpg')
  const { channels } = await sharp(frame?.bytes).stats()
  return channels.slice(0, 3).map((it) => Math.round(it.mean))
}

test(
  'mediabunny finds the length and the frame at 2 s of a recording without a stored length',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    const workerRequest = page.waitForRequest(/\/video-worker-/)
    await openEditor(page, network.url)
    // The recording is red for one second, green for two, blue for one.
    await pick(page, [join(import.meta.dirname, 'fixtures/live.mkv')])
    await expect(page.getByText('動画の2秒の場面')).toBeVisible()
    await workerRequest
    await expect(page.getByText('0:04')).toBeVisible()
    const [red = 0, green = 0, blue = 0] = await frameIn(page)
    expect({ red, green, blue, is: green - Math.max(red, blue) > 150 }).toMatchObject({ is: true })
  },
)

test(
  'the decoder takes a frame of a video that the player cannot show',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    // As with HEVC in Chromium: the video loads and shows nothing.
    await page.addInitScript(() => {
      Object.defineProperty(HTMLVideoElement.prototype, 'videoWidth', { get: () => 0 })
    })
    await openEditor(page, network.url)
    await pick(page, [video])
    await expect(page.getByText('動画の2秒の場面')).toBeVisible()
    const colour = await frameIn(page)
    for (const [i, part] of moment.entries()) expect(Math.abs((colour[i] ?? 0) - part)).toBeLessThan(12)
  },
)

test(
  'a video that this browser cannot decode is accepted, and requires a thumbnail',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await openEditor(page, network.url)
    await pick(page, [join(import.meta.dirname, 'fixtures/odd/mov-named.mp4')])
    await expect(filesInDraft(page)).toHaveCount(1)
    await expect(page.getByText('0:05')).toBeVisible()
    await expect(page.getByText('未設定')).toBeVisible()
    // Settled: a stored file does not change.
    expect((await storedFiles(page)).map((it) => it.name)).toEqual(['mov-named.mov'])
    await postButton(page).click()
    await expect(page.getByText('※サムネイルの選択は必須です')).toBeVisible()
    await page
      .locator('input[type=file][aria-label="画像を選ぶ"]')
      .setInputFiles(defined((await makePictures(1))[0]).path)
    await expect(page.getByText('選んだ画像')).toBeVisible()
    await expect(page.getByText('※サムネイルの選択は必須です')).toHaveCount(0)
  },
)

test(
  'a broken recording blocks neither the page nor the editor',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    // A segment without elements makes mediabunny search for ever.
    const sound = readFileSync(join(import.meta.dirname, 'fixtures/live.mkv'))
    const segment = sound.indexOf('18538067', 0, 'hex') + 12
    const broken = join(temporaryFolder('thumbnail'), 'broken.mkv')
    writeFileSync(broken, Buffer.concat([sound.subarray(0, segment), Buffer.alloc(100)]))
    await openEditor(page, network.url)
    const workerRequest = page.waitForRequest(/\/video-/)
    await pick(page, [broken])
    await workerRequest
    const content = page.getByRole('textbox', { name: '本文' })
    await content.fill('続けて書けます')
    await expect(page.getByText('動画から作成中')).toHaveCount(0)
    await expect(page.getByText('未設定').first()).toBeVisible()
    await reload(page, ['続けて書けます'])
    await expect(content).toHaveValue('続けて書けます')
  },
)
