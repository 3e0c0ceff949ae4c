// Decodes a HEIC's primary picture to upright sRGB pixels, since sharp has no HEVC.
import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import startLibheif from 'libheif-js/libheif-wasm/libheif.js'
import { isDisplayP3, toSrgb } from './display-p3.ts'
import { Refused } from './task.ts'

/** Largest file that is read into memory, bytes. */
const MAX_BYTES = 100 * 1024 * 1024
/** Largest picture, pixels: phones make 48 megapixels, and more does not fit this process. */
const MAX_PIXELS = 50_000_000

/** The part of libheif's script that its types lack. */
interface Libheif {
  HeifDecoder: new () => { decode: (bytes: Uint8Array) => HeifImage[] }
}
interface HeifImage {
  is_primary: () => boolean
  get_width: () => number
  get_height: () => number
  /** Calls back with the target, filled, or with null. */
  display: (target: Pixels, then: (filled: Pixels | null) => void) => void
  free: () => void
}

export interface Pixels {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
}

let loading: Promise<Libheif> | undefined

/** Loads libheif; called for the first HEIC only, since most processes have none. */
async function start(): Promise<Libheif> {
  const program = fileURLToPath(import.meta.resolve('libheif-js/libheif-wasm/libheif.wasm'))
  return startLibheif({ wasmBinary: await readFile(program) }) as unknown as Libheif
}

/** @throws Refused with `too_large` or `unreadable` */
export async function decodeHeic(file: string): Promise<Pixels> {
  if ((await stat(file)).size > MAX_BYTES) throw new Refused('too_large')
  const bytes = await readFile(file)
  const { HeifDecoder } = await (loading ??= start())
  const images = new HeifDecoder().decode(bytes)
  try {
    // A file may contain previews and a depth image besides the picture.
    const image = images.find((it) => it.is_primary()) ?? images[0]
    if (!image) throw new Refused('unreadable')
    const pixels = await displayed(image)
    if (isDisplayP3(bytes)) toSrgb(pixels.data)
    return pixels
  } finally {
    for (const it of images) it.free()
  }
}

async function displayed(image: HeifImage): Promise<Pixels> {
  const [width, height] = [image.get_width(), image.get_height()]
  if (width * height > MAX_PIXELS) throw new Refused('too_large')
  const target = { data: new Uint8ClampedArray(width * height * 4), width, height }
  const filled = await new Promise<Pixels | null>((resolve) => image.display(target, resolve))
  if (!filled) throw new Refused('unreadable')
  return filled
}
