// Converts HEIC to JPEG by libheif (WebAssembly), for browsers without HEIC.
import startLibheif from 'libheif-js/libheif-wasm/libheif.js'
import wasmUrl from 'libheif-js/libheif-wasm/libheif.wasm?url'
import { drawPicture } from './canvas.ts'
import { isDisplayP3 } from './display-p3.ts'
import type { HeicRequest, PictureReply } from './worker-messages.ts'

/** The part of libheif that its type declarations lack. */
interface Libheif {
  HeifDecoder: new () => { decode: (bytes: Uint8Array) => HeifImage[] }
}
interface HeifImage {
  is_primary: () => boolean
  get_width: () => number
  get_height: () => number
  /** Calls back with the filled target, or with null. */
  display: (target: ImageData, then: (filled: ImageData | null) => void) => void
  free: () => void
}

/** Longest download of the decoder, ms. */
const DOWNLOAD_TIMEOUT_MS = 20_000

let starting: Promise<Libheif> | undefined

/** Never rejects. Decoding cannot be aborted: the caller terminates the worker. */
export async function heicToJpeg({ file, longest }: HeicRequest): Promise<PictureReply> {
  let libheif: Libheif
  try {
    libheif = await (starting ??= start())
  } catch (error) {
    starting = undefined
    return { is: 'unstarted', why: String(error) }
  }
  try {
    return { is: 'drawn', picture: await convert(libheif, file, longest) }
  } catch (error) {
    return { is: 'failed', why: String(error) }
  }
}

async function start(): Promise<Libheif> {
  const response = await fetch(wasmUrl, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) })
  if (!response.ok) throw new Error(`the decoder answered ${response.status}`)
  return startLibheif({ wasmBinary: await response.arrayBuffer() }) as unknown as Libheif
}

async function convert(libheif: Libheif, file: Blob, longest: number | null): Promise<Blob> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const images = new libheif.HeifDecoder().decode(bytes)
  try {
    // A file may contain previews and depth maps beside the picture.
    const image = images.find((it) => it.is_primary()) ?? images[0]
    if (!image) throw new Error('there is no picture in it')
    const colorSpace = isDisplayP3(bytes) ? 'display-p3' : 'srgb'
    const target = new ImageData(image.get_width(), image.get_height(), { colorSpace })
    const filled = await new Promise<ImageData | null>((resolve) => image.display(target, resolve))
    if (!filled) throw new Error('the picture cannot be decoded')
    const source = await createImageBitmap(target)
    try {
      return await drawPicture(source, longest, 'image/jpeg', colorSpace)
    } finally {
      source.close()
    }
  } finally {
    for (const it of images) it.free()
  }
}
