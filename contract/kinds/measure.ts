// Measures pictures: their size and frames, read from the file without decoding.
import { MAX_FRAMES, MAX_PIXELS } from '#contract/limits.ts'
import { avifFacts } from './avif.ts'
import { Bytes } from './bytes.ts'

export interface Measured {
  /** Pixels, before any rotation that metadata asks for. */
  readonly width: number
  readonly height: number
  /** Frames of a moving picture; 1 for any other. */
  readonly frames: number
}

/** Why a picture is not decoded. `too_many_frames`: a moving picture has too many frames, or too many pixels in all of them. */
export type OverLimit = 'too_large' | 'too_many_frames'

/**
 * Why a picked picture cannot be sent; picking it again would change nothing. `broken`: nothing of it can be decoded.
 * `no_avif`: this browser does not decode AVIF.
 */
export type PictureProblem = OverLimit | 'broken' | 'no_avif'

/** Whether a picture exceeds the limits, which are those of all its frames together. */
export function overLimit({ width, height, frames }: Measured): OverLimit | undefined {
  if (frames > MAX_FRAMES) return 'too_many_frames'
  if (width * height * frames <= MAX_PIXELS) return undefined
  return frames > 1 ? 'too_many_frames' : 'too_large'
}

/**
 * Measures a JPEG, PNG, GIF, WebP or AVIF.
 * @param all the whole file; of a file that is cut off, the frames that are there are counted
 * @returns undefined for other formats, and for a file without a size
 */
export function measure(all: Uint8Array, format: string): Measured | undefined {
  const bytes = new Bytes(all)
  const found = measured(bytes, format)
  return found && found.width > 0 && found.height > 0 ? found : undefined
}

function measured(bytes: Bytes, format: string): Measured | undefined {
  switch (format) {
    case 'jpg':
      return jpegSize(bytes)
    case 'png':
      return pngSize(bytes)
    case 'gif':
      return gifSize(bytes)
    case 'webp':
      return webpSize(bytes)
    case 'avif':
      return avifFacts(bytes)
    default:
      return undefined
  }
}

/** The first frame header; C4, C8 and CC are other markers. */
function jpegSize(bytes: Bytes): Measured | undefined {
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes.byte(at + 1) ?? 0
    if (bytes.byte(at) !== 0xff) return undefined
    if (marker === 0xff) at += 1
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.number(at + 7, 2), height: bytes.number(at + 5, 2), frames: 1 }
    else at += 2 + Math.max(2, bytes.number(at + 2, 2))
  }
  return undefined
}

/** The header, and the count of frames that precedes the pixels of an animated PNG. */
function pngSize(bytes: Bytes): Measured | undefined {
  if (bytes.length < 33) return undefined
  const size = { width: bytes.number(16, 4), height: bytes.number(20, 4) }
  for (let at = 33; at + 12 <= bytes.length; at += 12 + bytes.number(at, 4)) {
    const type = bytes.text(at + 4, at + 8)
    if (type === 'IDAT') break
    if (type === 'acTL') return { ...size, frames: Math.max(1, bytes.number(at + 8, 4)) }
  }
  return { ...size, frames: 1 }
}

const EXTENSION = 0x21
const IMAGE = 0x2c
const tableSize = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1))

function gifSize(bytes: Bytes): Measured | undefined {
  if (bytes.length < 14) return undefined
  const size = { width: bytes.littleEndian(6, 2), height: bytes.littleEndian(8, 2) }
  let frames = 0
  let at = 13 + tableSize(bytes.byte(10) ?? 0)
  for (;;) {
    const block = bytes.byte(at)
    if (block === EXTENSION) at += 2
    else if (block === IMAGE) {
      frames += 1
      at += 11 + tableSize(bytes.byte(at + 9) ?? 0)
    } else return { ...size, frames: Math.max(1, frames) }
    // Both end with blocks of data, each with its length, the last with 0.
    for (let length = bytes.byte(at); length; length = bytes.byte(at)) at += 1 + length
    at += 1
  }
}

function webpSize(bytes: Bytes): Measured | undefined {
  if (bytes.length < 30) return undefined
  switch (bytes.text(12, 16)) {
    case 'VP8 ':
      return {
        width: bytes.littleEndian(26, 2) & 0x3fff,
        height: bytes.littleEndian(28, 2) & 0x3fff,
        frames: 1,
      }
    case 'VP8L': {
      const sides = bytes.littleEndian(21, 4)
      return { width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1, frames: 1 }
    }
    default: {
      const size = { width: bytes.littleEndian(24, 3) + 1, height: bytes.littleEndian(27, 3) + 1 }
      let frames = 0
      for (let at = 12; at + 8 <= bytes.length;) {
        if (bytes.text(at, at + 4) === 'ANMF') frames += 1
        const length = bytes.littleEndian(at + 4, 4)
        at += 8 + length + (length & 1)
      }
      return { ...size, frames: Math.max(1, frames) }
    }
  }
}
