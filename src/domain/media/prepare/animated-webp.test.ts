// An animated WebP has the pixels, lengths and repetitions of its frames, checked by libvips.
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { animatedWebp } from './animated-webp.ts'
import { movingWebp } from './moving-avif.ts'

/** A WebP of one colour; `odd` has a chunk of metadata, as some browsers write it. */
async function frame(background: string, { lossless = true, odd = false } = {}) {
  const picture = sharp({ create: { width: 9, height: 5, channels: 4, background } }).webp({ lossless })
  const bytes = await (odd ? picture.withExif({ IFD0: { Copyright: 'somebody' } }) : picture).toBuffer()
  return new Uint8Array(bytes)
}
const joined = (parts: Uint8Array[]) => Buffer.concat(parts)

test('frames follow each other with their lengths, and nothing shines through', async () => {
  const frames = [
    { webp: await frame('#ff0000ff', { odd: true }), delay: 40 },
    { webp: await frame('#00000000'), delay: 1000 },
    { webp: await frame('#0000ff80'), delay: 70_000 },
  ]
  const made = joined(animatedWebp(frames, { width: 9, height: 5, loop: 3 }))
  const { pages, delay, loop, width, pageHeight, exif } = await sharp(made, { animated: true }).metadata()
  expect({ pages, delay, loop, width, pageHeight, exif }).toEqual({
    pages: 3,
    delay: [40, 1000, 70_000],
    loop: 3,
    width: 9,
    pageHeight: 5,
    exif: undefined,
  })
  const data = await sharp(made, { animated: true }).raw().toBuffer()
  const firstPixels = [0, 1, 2].map((it) => [...data.subarray(it * 9 * 5 * 4, it * 9 * 5 * 4 + 4)])
  expect(firstPixels).toEqual([
    [255, 0, 0, 255],
    [0, 0, 0, 0],
    [0, 0, 255, 128],
  ])
})

test('frames without transparency make a picture without it', async () => {
  const webp = await frame('#ff0000', { lossless: false })
  const frames = [
    { webp, delay: 100 },
    { webp, delay: 100 },
  ]
  const made = animatedWebp(frames, { width: 9, height: 5, loop: 0 })
  const { hasAlpha, loop, size } = await sharp(joined(made), { animated: true }).metadata()
  expect({ hasAlpha, loop }).toEqual({ hasAlpha: false, loop: 0 })
  expect(joined(made).readUInt32LE(4) + 8).toBe(size)
})

test('a browser that reads no frames makes none of a moving AVIF', async () => {
  const moving = readFileSync('e2e/fixtures/avif/moving.avif')
  expect(await movingWebp(new Blob([moving]))).toBeUndefined()
})
