// Cuts strips, such as long screenshots and comics, into parts shown below each other.
import sharp, { type Sharp } from 'sharp'
import { isStrip, topOf } from '#contract/kinds/long-pictures.ts'
import { MAX_PIXELS } from '#contract/limits.ts'
import { type MediaMade, Refused } from './task.ts'

export type Parts = NonNullable<MediaMade['made']['parts']>

/** Widest strip, pixels: as wide as the widest copy of other pictures. */
const WIDEST = 1600
/** Pixels of one part, which a phone decodes while one scrolls. */
const PART_PIXELS = 6_000_000
/** Least and largest height of a part, pixels; a WebP has 16,383 at most. */
const [LEAST, LARGEST] = [4096, 16_000]
/** Most parts of one strip. */
const MAX_PARTS = 100

/** Heights of the parts from the top; one for a picture that is not cut. */
export function partHeights(width: number, height: number): number[] {
  const each = Math.min(LARGEST, Math.max(LEAST, Math.floor(PART_PIXELS / width)))
  const count = Math.ceil(height / each)
  return Array.from({ length: count }, (_, i) => Math.min(each, height - i * each))
}

interface Cut {
  readonly parts: Parts
  /** The top of the strip, which lists and cards show in its place. */
  readonly top: { readonly width: number; readonly height: number; open(): Sharp }
}

interface Whole {
  readonly width: number
  readonly height: number
  open(): Sharp
}

/**
 * Writes the parts of a strip, `p0.webp` and following, all cut from one scaled picture, so that no seam is seen.
 * @returns undefined for a picture that one file shows well
 * @throws Refused with `too_large` when it would have too many parts
 */
export async function cutStrip(source: Whole, output: string): Promise<Cut | undefined> {
  const width = Math.min(source.width, WIDEST)
  const expected = Math.max(1, Math.round((source.height * width) / source.width))
  if (!isStrip(source) || partHeights(width, expected).length === 1) return undefined
  const { data, info } = await source
    .open()
    .resize({ width, height: expected, fit: 'fill' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { height, channels } = info
  const heights = partHeights(width, height)
  if (heights.length > MAX_PARTS) throw new Refused('too_large')
  const open = () => sharp(data, { raw: { width, height, channels }, limitInputPixels: MAX_PIXELS })
  let from = 0
  for (const [i, part] of heights.entries()) {
    const cut = open().extract({ left: 0, top: from, width, height: part })
    await cut.webp({ quality: 80, effort: 2 }).toFile(`${output}/p${i}.webp`)
    from += part
  }
  const top = Math.min(height, topOf(width))
  return {
    parts: { width, heights },
    top: { width, height: top, open: () => open().extract({ left: 0, top: 0, width, height: top }) },
  }
}
