// After processing, a video plays in the browser, or its author sees the reason.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import sharp from 'sharp'
import * as v from 'valibot'
import { postView } from '#contract/posts/posts.ts'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolations } from './rig/axe.ts'
import { creator, fan, signInByCookie, signIn } from './rig/people/people.ts'
import { getAs } from './rig/people/sessions.ts'
import { until } from './rig/network/ports.ts'
import type { Phone } from './rig/browsers/phone.ts'
import type { Proxy } from './rig/network/proxy.ts'
import { hasFfmpeg } from './rig/network/programs.ts'
import { publishImages, publishVideo } from './rig/posting/sending.ts'
import type { Server } from './rig/network/server.ts'
import { expect, test } from './rig/story.ts'

/** Formats that every browser plays after remuxing to MP4. */
const copied = [
  'h264.mp4',
  'h264.mov',
  'h264.m4v',
  'h264.mkv',
  'h264.mpegts',
  'h264-frag.mp4',
  'h264-moovend.mp4',
  'h264-rot90.mov',
  'av1.mp4',
  'vp9.webm',
]
/** Formats that need ffmpeg on the server. */
const encoded = [
  'h264.avi',
  'h264.flv',
  'h263.3gp',
  'hevc.mov',
  'hevc.mkv',
  'hevc10.mov',
  'hevc-gps.mov',
  'raw.hevc',
]

const fixtures = join(import.meta.dirname, '..', 'server', 'testing', 'fixtures')

/** Presses play once and waits for decoded frames. Changes of the page must not stop the video. */
async function plays(page: Page): Promise<void> {
  const video = page.locator('video')
  await expect(video).toBeVisible()
  await video.press('Space')
  await expect.poll(() => reached(page)).toBeGreaterThan(0.3)
  // The source may change from the MP4 to segments, whose frames are counted from 0.
  const frames = () =>
    video.evaluate((it) => {
      const player = it as HTMLVideoElement
      return player.videoWidth > 0 && player.getVideoPlaybackQuality().totalVideoFrames > 0
    })
  await expect.poll(frames).toBe(true)
}

test(
  'every accepted format plays, or its author sees the reason',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const posts: [string, string][] = []
    for (const name of [...copied, ...encoded]) {
      // The name requires no thumbnail; only the bytes identify the format.
      posts.push([name, await publishVideo(server.url, await readFile(join(fixtures, name)), `${name}.mp4`)])
    }
    const withFfmpeg = hasFfmpeg()
    await signIn(phone.page, network.url, creator)
    for (const [name, post] of posts) {
      await test.step(name, async () => {
        await phone.page.goto(`${network.url}/post/${post}`)
        if (copied.includes(name) || withFfmpeg) await plays(phone.page)
        else await expect(phone.page.getByText('この動画の公開には変換が必要ですが')).toBeVisible()
      })
    }
  },
)

interface Ground {
  readonly server: Server
  readonly network: Proxy
}

/** Publishes the long video and opens it. @returns the files that the page requests */
async function openLong(page: Page, { server, network }: Ground): Promise<string[]> {
  const post = await publishVideo(server.url, await readFile(join(fixtures, 'h264-65s.mp4')), 'long.mp4')
  await signIn(page, network.url, creator)
  const requested: string[] = []
  page.on('request', (it) => requested.push(defined(new URL(it.url()).pathname.split('/').at(-1))))
  await page.goto(`${network.url}/post/${post}`)
  await expect(page.locator('video')).toBeVisible()
  return requested
}

const sourceOf = (page: Page) => page.locator('video').evaluate((it) => (it as HTMLVideoElement).src)
const reached = (page: Page) => page.locator('video').evaluate((it) => (it as HTMLVideoElement).currentTime)
const seek = (page: Page, to: number) =>
  page.locator('video').evaluate((it, at) => void ((it as HTMLVideoElement).currentTime = at), to)

test('a video of more than a minute plays from segments, and can be sought', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  const requested = await openLong(page, { server, network })
  const library = () => requested.filter((it) => it.startsWith('hls.light'))
  expect(library()).toEqual([])
  await plays(page)
  await expect.poll(library).toHaveLength(1)
  await expect.poll(() => sourceOf(page)).toContain('blob:')
  await expect
    .poll(() => requested)
    .toEqual(expect.arrayContaining(['main.m3u8', 'video.m3u8', 'init.mp4', '1.m4s']))
  const before = await reached(page)
  await expect.poll(() => reached(page)).toBeGreaterThan(before + 0.3)
  await seek(page, 50)
  await expect.poll(() => reached(page)).toBeGreaterThan(50.3)
  await expect.poll(() => requested.some((it) => /^(8|9|10)\.m4s$/.test(it))).toBe(true)
})

/** Applies a fault to every segment but the first. @returns how often it happened */
async function disturb(phone: Phone, how: (it: Route) => Promise<void>): Promise<{ count: number }> {
  const applied = { count: 0 }
  await phone.context.route('**/hls/*.m4s', async (it) => {
    if (it.request().url().endsWith('/1.m4s')) return it.continue()
    applied.count++
    return how(it)
  })
  return applied
}

test(
  'after a refused segment the MP4 continues at the same position',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const refused = await disturb(phone, (it) => it.fulfill({ status: 404 }))
    await openLong(page, { server, network })
    await plays(page)
    await expect.poll(() => sourceOf(page)).toMatch(/\/play$/)
    expect(refused.count).toBe(1)
    const before = await reached(page)
    await expect.poll(() => reached(page)).toBeGreaterThan(before + 0.3)
    await seek(page, 30)
    await expect.poll(() => reached(page)).toBeGreaterThan(30.3)
  },
)

test(
  'after a lost connection segments are requested until it is back',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    let back = false
    const lost = await disturb(phone, (it) => (back ? it.continue() : it.abort('connectionreset')))
    await openLong(page, { server, network })
    await plays(page)
    await seek(page, 50)
    await expect.poll(() => lost.count).toBeGreaterThan(2)
    await expect.poll(() => sourceOf(page)).toContain('blob:')
    back = true
    await expect.poll(() => reached(page)).toBeGreaterThan(50.3)
    await expect.poll(() => sourceOf(page)).toContain('blob:')
  },
)

/** Waits until the video's main playlist has a smaller rendition. @returns it */
async function smallerOf(url: string, post: string): Promise<string> {
  return until(async () => {
    const view = v.parse(postView, await (await getAs(url, fan, `/posts/${post}`)).json())
    const [media] = view.access.is === 'full' ? view.access.media : []
    if (media?.kind !== 'video' || media.hls === undefined) return undefined
    const main = await (await fetch(url + media.hls)).text()
    return main.includes('240p.m3u8') ? main : undefined
  }, 'a smaller rendition')
}

test(
  'the smaller rendition for slow connections plays, and can be sought',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    test.skip(!hasFfmpeg(), 'smaller renditions are made by ffmpeg')
    const { page } = phone
    const bytes = await readFile(join(fixtures, 'h264-360p-62s.mp4'))
    const post = await publishVideo(server.url, bytes, 'slow.mp4')
    const main = await smallerOf(server.url, post)
    // A local connection is never slow, so the larger rendition is removed from the playlist.
    const body = main.split('\n#EXT-X-STREAM-INF').filter((it) => !it.includes('\nvideo.m3u8'))
    await phone.context.route('**/main.m3u8', (it) =>
      it.fulfill({ body: body.join('\n#EXT-X-STREAM-INF'), contentType: 'application/vnd.apple.mpegurl' }),
    )
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/post/${post}`)
    await plays(page)
    const height = () => page.locator('video').evaluate((it) => (it as HTMLVideoElement).videoHeight)
    await expect.poll(height).toBe(240)
    await seek(page, 45)
    await expect.poll(() => reached(page)).toBeGreaterThan(45.3)
    await expect.poll(() => sourceOf(page)).toContain('blob:')
  },
)

test(
  'the author of a broken video sees the reason, and a fan sees a placeholder',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    // An MP4 by its boxes, but without a track.
    const brand = (await readFile(join(fixtures, 'h264.mp4'))).subarray(0, 32)
    const [tracks, media] = [Buffer.from('\0\0\0\x08moov'), Buffer.from('\0\0\x07\xd8mdat', 'latin1')]
    const post = await publishVideo(
      server.url,
      Buffer.concat([brand, tracks, media, Buffer.alloc(2000)]),
      'broken.mp4',
    )
    const reason = 'この動画は読み込めませんでした'
    await signInByCookie(phone.page, network.url, creator)
    await phone.page.goto(`${network.url}/post/${post}`)
    await expect(phone.page.getByRole('main').getByText(reason)).toBeVisible()
    // The result cannot change.
    await expect(phone.page.getByRole('button', { name: 'もう一度処理する' })).toHaveCount(0)
    const { page } = await newPhone()
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/post/${post}`)
    await expect(page.getByText('このファイルは表示できません')).toBeVisible()
    await expect(page.getByRole('main').getByText(reason)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'もう一度処理する' })).toHaveCount(0)
  },
)

test(
  'a failed image among others shows its reason to the author and nothing to other people',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const whole = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#888', noise } })
      .png()
      .toBuffer()
    const broken = (await sharp(whole).webp().toBuffer()).subarray(0, 3000)
    const files = [whole, broken, whole].map((bytes, i) => ({ name: `${i}.png`, bytes: Buffer.from(bytes) }))
    const content = '一枚だけ壊れた写真'
    const post = await publishImages(server.url, content, files)
    await signIn(phone.page, network.url, creator)
    const card = (page: Page) => page.getByRole('article').filter({ hasText: content })
    const pictures = (page: Page) => card(page).getByRole('img', { name: /枚目の画像/ })
    await expect(card(phone.page).getByText('この画像は表示できません')).toBeVisible()
    await expect(pictures(phone.page)).toHaveCount(2)
    await expectNoViolations(phone.page)
    const { page } = await newPhone()
    await signIn(page, network.url, fan)
    await expect(pictures(page)).toHaveCount(2)
    await expect(card(page).getByText('表示できません')).toHaveCount(0)
    await phone.page.goto(`${network.url}/post/${post}`)
    await expect(phone.page.getByText('この画像は読み込めませんでした')).toHaveCount(1)
    await expect(phone.page.getByRole('button', { name: 'もう一度処理する' })).toHaveCount(0)
  },
)
