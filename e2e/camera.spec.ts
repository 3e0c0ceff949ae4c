// Taking a photo or a video from the editor on a touch screen.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { press } from './rig/posting/editor.ts'
import { creator, signInByCookie, signIn } from './rig/people/people.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

const photo = (page: Page) => page.getByLabel('写真を撮る')
const video = (page: Page) => page.getByLabel('動画を撮る')
const taken = (page: Page) => page.getByRole('button', { name: /を外す$/ })

/** A photo of a phone's camera: large, rotated by a tag, with location data. */
async function shot(): Promise<string> {
  const path = join(temporaryFolder('camera'), 'image.jpg')
  await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#2864a0' } })
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '35/1 41/1 22/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toFile(path)
  return path
}

test(
  'the back camera is offered on touch screens, for photos and for videos',
  { tag: '@deep' },
  async ({ network, phone, newPhone }) => {
    const { page } = phone
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/post/upload2`)
    await expect(photo(page)).toHaveAttribute('accept', 'image/*')
    await expect(photo(page)).toHaveAttribute('capture', 'environment')
    await expect(video(page)).toHaveAttribute('accept', 'video/*')
    await expect(video(page)).toHaveAttribute('capture', 'environment')
    await expect(page.getByText('動画を撮る')).toBeVisible()
    // It is large enough for a thumb.
    await expect
      .poll(async () => (await page.getByText('動画を撮る').boundingBox())?.height)
      .toBeGreaterThanOrEqual(44)

    const desktop = await newPhone({ viewport: { width: 1280, height: 800 } })
    await signIn(desktop.page, network.url, creator)
    await desktop.page.goto(`${network.url}/post/upload2`)
    await expect(desktop.page.getByText('画像・動画を追加')).toBeVisible()
    await expect(desktop.page.getByText('写真を撮る')).toBeHidden()
  },
)

test(
  'photos taken in a row are prepared like picked ones, and a video can no longer be added',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const content = '撮ってすぐ'
    const file = await shot()
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/post/upload2`)
    await page.getByRole('textbox', { name: '本文' }).fill(content)
    await photo(page).setInputFiles(file)
    await expect(taken(page)).toHaveCount(1)
    await expect(video(page)).toHaveCount(0)
    await photo(page).setInputFiles(file)
    await expect(taken(page)).toHaveCount(2)
    await press(page, network.url)
    await waitForPost(server.url, content)
    // Rotated, scaled and re-encoded: the uploaded file has no location data.
    const sizes = async () => {
      const [post] = await postsWithText(server.url, content)
      return post?.access.is === 'full' && post.access.media.map((it) => [it.width, it.height])
    }
    await expect.poll(sizes).toEqual([
      [1707, 2560],
      [1707, 2560],
    ])
  },
)

test(
  'a video taken by the camera arrives byte for byte',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const content = '撮った動画'
    const { path, sha256 } = makeVideo(join(temporaryFolder('camera'), 'video.mp4'), 3_000_000)
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/post/upload2`)
    await page.getByRole('textbox', { name: '本文' }).fill(content)
    await video(page).setInputFiles(path)
    await expect(page.getByText('動画の2秒の場面')).toBeVisible()
    await expect(photo(page)).toHaveCount(0)
    await press(page, network.url)
    const post = await waitForPost(server.url, content)
    await expect.poll(() => originals(server.url, post)).toEqual([sha256])
  },
)
