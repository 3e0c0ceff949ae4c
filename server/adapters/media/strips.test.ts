// Strips are cut into parts without a seam, panoramas keep their height.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { openMediaMaker } from './maker.ts'
import { partHeights } from './strips.ts'

const maker = openMediaMaker()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-strips-'))
})
afterAll(async () => {
  maker.close()
  await rm(folder, { recursive: true })
})

/** Red grows from the top to the bottom, green repeats every 256 rows. */
async function drawn(width: number, height: number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width * 3, (y + 1) * width * 3)
    for (let at = 0; at < row.length; at += 3) {
      row[at] = Math.floor((y / height) * 256)
      row[at + 1] = Math.abs((y % 256) - 128)
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer()
}

async function make(name: string, bytes: Buffer, mime = 'image/jpeg') {
  const [input, output] = [path.join(folder, name), path.join(folder, `${name}-made`)]
  await writeFile(input, bytes)
  await mkdir(output)
  const answer = await maker.make({ kind: 'image', mime, input, output, thumbnail: undefined })
  return { answer, file: (it: string) => path.join(output, it) }
}

test('a strip higher than a WebP can be is cut into parts that continue each other', async () => {
  const { answer, file } = await make('strip', await drawn(800, 20_000))
  const media = defined(answer.is === 'made' ? answer.media : undefined)
  expect(media).toMatchObject({ width: 800, height: 20_000, made: { widths: [240, 480, 960] } })
  const { width, heights } = defined(media.made.parts)
  expect(width).toBe(800)
  expect(heights.reduce((sum, it) => sum + it, 0)).toBe(20_000)
  let from = 0
  for (const [i, height] of heights.entries()) {
    const { data, info } = await sharp(file(`p${i}.webp`))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([800, height])
    // The first and the last row are those of the original.
    for (const row of [0, height - 1]) {
      const at = (row * 800 + 400) * 3
      const original = from + row
      expect(Math.abs((data[at] ?? 0) - Math.floor((original / 20_000) * 256))).toBeLessThan(12)
      expect(Math.abs((data[at + 1] ?? 0) - Math.abs((original % 256) - 128))).toBeLessThan(12)
    }
    from += height
  }
  // Lists and cards show the top.
  expect(await sharp(file('w480.webp')).metadata()).toMatchObject({ width: 480, height: 1440 })
})

test('the copies of a panorama are as high as lists and the viewer need', async () => {
  const { answer, file } = await make('panorama', await drawn(20_000, 1500))
  const { widths } = defined(answer.is === 'made' ? answer.media.made : undefined)
  expect(widths).toEqual([240, 480, 960, 1600, 6400, 14_400])
  expect(await sharp(file('w14400.webp')).metadata()).toMatchObject({ width: 14_400, height: 1080 })
})

test('a moving picture that is too high for its format is too large, not broken', async () => {
  const frames = {
    create: { width: 20, height: 34_000, channels: 3, background: '#fff', pageHeight: 17_000 },
  } as const
  const black = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#000' } })
    .png()
    .toBuffer()
  const gif = await sharp(frames)
    .composite([{ input: black, top: 0, left: 0 }])
    .gif({ delay: [100, 100] })
    .toBuffer()
  expect((await make('high', gif, 'image/gif')).answer).toEqual({ is: 'refused', failure: 'too_large' })
})

test('parts are never higher than a WebP, whatever the width', () => {
  for (const [width, height] of [
    [1600, 60_000],
    [800, 100_000],
    [1, 65_535],
  ] as const) {
    const heights = partHeights(width, height)
    expect(heights.reduce((sum, it) => sum + it, 0)).toBe(height)
    expect(Math.max(...heights)).toBeLessThanOrEqual(16_383)
    expect(Math.min(...heights)).toBeGreaterThan(0)
  }
})
