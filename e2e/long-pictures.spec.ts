// A strip in the viewer: its parts continue each other.
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { pressOn } from './rig/browsers/keyboard.ts'
import { fan, signInByCookie } from './rig/people/people.ts'
import { until } from './rig/network/ports.ts'
import { postsWithText } from './rig/posting/posts.ts'
import { publishImages } from './rig/posting/sending.ts'
import { expect, test } from './rig/story.ts'

/** A ladder of numbered lines, so that a lost or doubled row is seen. */
async function ladder(width: number, height: number): Promise<Buffer<ArrayBuffer>> {
  const step = 200
  const lines = Array.from({ length: Math.ceil(Math.max(width, height) / step) }, (_, i) => {
    const [x, y] = width > height ? [i * step, height / 2] : [0, (i + 0.8) * step]
    return `<text x="${x}" y="${y}" font-size="120" fill="hsl(${i * 37} 70% 40%)">${i}</text>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${lines.join('')}</svg>`
  return Buffer.from(await sharp(Buffer.from(svg)).jpeg().toBuffer())
}

/** Whether the server has made all files of the post with this text. */
async function isMade(url: string, text: string): Promise<boolean> {
  const [post] = await postsWithText(url, text)
  return post?.access.is === 'full' && post.access.media.every((it) => it.state === 'ready')
}

const large = (page: Page) => page.getByRole('dialog', { name: '画像の拡大表示' })

test(
  'a strip and a panorama are scrolled in the viewer',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const files = [
      { name: 'strip.jpg', bytes: await ladder(800, 9000) },
      { name: 'panorama.jpg', bytes: await ladder(6000, 600) },
    ]
    const post = await publishImages(server.url, '長い画像', files)
    // The viewer has the pictures that are ready when it is opened.
    await until(async () => (await isMade(server.url, '長い画像')) || undefined, 'both pictures')
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/post/${post}`)
    await page.getByRole('button', { name: /2枚中1枚目/ }).click()
    const strip = large(page).getByRole('region', { name: '画像を拡大する' }).first()
    const parts = strip.getByRole('img', { includeHidden: true }).or(strip.locator('img'))
    await expect(parts).toHaveCount(2)
    await expect(strip).toBeFocused()
    // The second part begins where the first one ends, and all of its width is shown.
    const boxes = await parts.evaluateAll((all) => all.map((it) => it.getBoundingClientRect()))
    expect(Math.abs((boxes[0]?.bottom ?? 0) - (boxes[1]?.top ?? 9))).toBeLessThan(0.1)
    // But for the margin of the viewer.
    expect(boxes[0]?.width).toBeGreaterThan(350)

    await large(page).getByRole('button', { name: '次の画像' }).click()
    const panorama = large(page).getByRole('region', { name: '画像を拡大する' }).last()
    await pressOn(panorama, 'End')
    await expect.poll(() => panorama.evaluate((it) => it.scrollLeft)).toBeGreaterThan(350)
    // The keys of its own direction scroll it, and do not lead back to the strip.
    await expect(panorama).toBeInViewport()
  },
)
