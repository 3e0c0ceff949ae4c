// Compares a published picture with the picked file, as Chromium shows both.
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import sharp from 'sharp'

/** The longer side at which pixels are compared. */
const SIDE = 640
/** Mean difference of a channel that lossy copies have at most, of 255. */
const MOST = 4
/** How much the ratio of the sides may differ: whole pixels of small copies. */
const MOST_RATIO = 0.02

/** What Chromium shows of a file. */
interface Shown {
  readonly width: number
  readonly height: number
  /** Frames of a moving picture. */
  readonly frames: number
  /** RGBA of the first frame at the compared size, base64. */
  readonly pixels: string
}

interface Asked {
  readonly bytes: string
  readonly type: string
  /** Of the compared picture; the size of the file within `SIDE` without it. */
  readonly size: readonly [number, number] | undefined
  readonly side: number
}

/** Runs in the page: decodes a file as an `<img>` shows it. @returns undefined for a file that Chromium cannot show */
async function show({ bytes, type, size, side }: Asked): Promise<Shown | undefined> {
  const data = Uint8Array.from(atob(bytes), (it) => it.charCodeAt(0))
  const url = URL.createObjectURL(new Blob([data], { type }))
  const image = new Image()
  image.src = url
  try {
    await image.decode()
  } catch {
    return undefined
  }
  const { naturalWidth: width, naturalHeight: height } = image
  const scale = Math.min(1, side / Math.max(width, height))
  const [w, h] = size ?? [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
  const context = new OffscreenCanvas(w, h).getContext('2d')
  if (!context) throw new Error('no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, w, h)
  URL.revokeObjectURL(url)
  let frames = 1
  if (await ImageDecoder.isTypeSupported(type)) {
    const decoder = new ImageDecoder({ data, type })
    await decoder.completed.catch(() => undefined)
    frames = decoder.tracks.selectedTrack?.frameCount ?? 1
    decoder.close()
  }
  let pixels = ''
  for (const it of context.getImageData(0, 0, w, h).data) pixels += String.fromCharCode(it)
  return { width, height, frames, pixels: btoa(pixels) }
}

/** Type by the first bytes, for Chromium's decoders. */
function typeOf(bytes: Buffer): string {
  const text = bytes.subarray(0, 16).toString('latin1')
  if (text.startsWith('\x89PNG')) return 'image/png'
  if (text.startsWith('GIF8')) return 'image/gif'
  if (text.slice(8, 12) === 'WEBP') return 'image/webp'
  if (text.startsWith('avif', 8) || text.startsWith('avis', 8)) return 'image/avif'
  return 'image/jpeg'
}

const open = (page: Page, bytes: Buffer, size?: readonly [number, number]): Promise<Shown | undefined> =>
  page.evaluate(show, { bytes: bytes.toString('base64'), type: typeOf(bytes), size, side: SIDE })

/** Mean difference of colours over a white and a black ground, so that transparency counts. */
function differenceOf(one: Buffer, other: Buffer): number {
  let sum = 0
  for (let at = 0; at < one.length; at += 4) {
    const [a, b] = [one.readUInt8(at + 3) / 255, other.readUInt8(at + 3) / 255]
    for (let n = 0; n < 3; n++) {
      const [x, y] = [one.readUInt8(at + n) * a, other.readUInt8(at + n) * b]
      sum += (Math.abs(x - y) + Math.abs(x + 255 * (1 - a) - (y + 255 * (1 - b)))) / 2
    }
  }
  return sum / (one.length * 0.75)
}

/** @returns what differs from the picked file; nothing when it is the same picture */
export async function comparePicture(page: Page, file: string, copy: string): Promise<string[]> {
  const [picked, made] = [readFileSync(file), readFileSync(copy)]
  const says: string[] = []
  const { exif, xmp, iptc } = await sharp(made, { animated: true }).metadata()
  if (exif || xmp || iptc) says.push('the copy has metadata')
  const before = await open(page, picked)
  // HEIC is compared by the eye: no browser here shows the file.
  if (!before) return [...says, 'Chromium cannot show the file']
  const scale = Math.min(1, SIDE / Math.max(before.width, before.height))
  const size = [
    Math.max(1, Math.round(before.width * scale)),
    Math.max(1, Math.round(before.height * scale)),
  ] as const
  const after = await open(page, made, size)
  if (!after) return [...says, 'Chromium cannot show the copy']
  const ratio = before.width / before.height / (after.width / after.height)
  if (Math.abs(ratio - 1) > MOST_RATIO + 1 / Math.min(after.width, after.height))
    says.push(`${after.width}×${after.height} of ${before.width}×${before.height}`)
  if (before.frames !== after.frames) says.push(`${after.frames} of ${before.frames} frames`)
  const difference = differenceOf(Buffer.from(before.pixels, 'base64'), Buffer.from(after.pixels, 'base64'))
  if (difference > MOST) says.push(`pixels differ by ${difference.toFixed(1)} of 255`)
  return says
}
