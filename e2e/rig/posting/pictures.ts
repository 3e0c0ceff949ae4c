// Makes pictures: of noise, long ones, moving ones; and publishes them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { temporaryFolder, until } from '#e2e/rig/network/ports.ts'
import { postsWithText } from './posts.ts'
import { publishImages } from './sending.ts'

export interface Picture {
  readonly path: string
  /** SHA-256, hex. */
  readonly sha256: string
}

/** Makes JPEG pictures of 1200 × 900 of coloured noise: each is different, and none compresses well. */
export async function makePictures(count: number): Promise<Picture[]> {
  const folder = temporaryFolder('pictures')
  const made: Picture[] = []
  for (let n = 0; n < count; n++) {
    const path = join(folder, `picture-${n + 1}.jpg`)
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
    await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#888', noise } })
      .tint({ r: 80 * n, g: 120, b: 200 - 60 * n })
      .jpeg()
      .toFile(path)
    made.push({ path, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') })
  }
  return made
}

/** A ladder of numbered lines, so that a lost or doubled row is seen. */
export async function ladder(width: number, height: number): Promise<Buffer<ArrayBuffer>> {
  const step = 200
  const lines = Array.from({ length: Math.ceil(Math.max(width, height) / step) }, (_, i) => {
    const [x, y] = width > height ? [i * step, height / 2] : [0, (i + 0.8) * step]
    return `<text x="${x}" y="${y}" font-size="120" fill="hsl(${i * 37} 70% 40%)">${i}</text>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${lines.join('')}</svg>`
  return Buffer.from(await sharp(Buffer.from(svg)).jpeg().toBuffer())
}

/** A GIF of two frames, red and green, which are shown for ever. */
export async function moving(): Promise<Buffer<ArrayBuffer>> {
  const frame = { width: 320, height: 240, channels: 3 } as const
  const green = await sharp({ create: { ...frame, background: '#0a0' } })
    .png()
    .toBuffer()
  const frames = sharp({ create: { ...frame, height: 480, background: '#a00', pageHeight: 240 } })
  const made = frames.composite([{ input: green, top: 240, left: 0 }]).gif({ delay: [300, 300], loop: 0 })
  return Buffer.from(await made.toBuffer())
}

/** Publishes a post of images and waits until the server has made all of their copies. @returns the post's id */
export async function publishReady(
  url: string,
  content: string,
  images: Parameters<typeof publishImages>[2],
): Promise<string> {
  const id = await publishImages(url, content, images)
  const isMade = async () => {
    const [post] = await postsWithText(url, content)
    return post?.access.is === 'full' && post.access.media.every((it) => it.state === 'ready')
  }
  await until(async () => (await isMade()) || undefined, 'the copies of the pictures')
  return id
}
