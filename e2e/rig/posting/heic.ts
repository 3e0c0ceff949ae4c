// HEIC samples, and their pictures as decoded by libheif.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import startLibheif from 'libheif-js/libheif-wasm/libheif.js'
import sharp, { type Sharp } from 'sharp'

export const folder = join(import.meta.dirname, '../../fixtures/heic')
/** Names of the sample files. */
export const heics = readdirSync(folder)
/** Samples of a white glow on a transparent ground, which would be invisible on white. */
const glows = new Set(['syn-alpha.heic', 'syn-small-ios18-full.heic'])

interface HeifImage {
  get_width: () => number
  get_height: () => number
  display: (target: { data: Uint8ClampedArray; width: number; height: number }, done: () => void) => void
}
interface Libheif {
  HeifDecoder: new () => { decode: (bytes: Uint8Array) => HeifImage[] }
}
const wasm = new URL(import.meta.resolve('libheif-js/libheif-wasm/libheif.wasm'))
const libheif = startLibheif({ wasmBinary: readFileSync(wasm) }) as unknown as Promise<Libheif>

/** A small copy for comparisons: the loss of JPEG disappears in it, and missing parts do not. */
const thumbnail = (picture: Sharp): Promise<Buffer> =>
  picture.resize(40, 30, { fit: 'fill' }).removeAlpha().raw().toBuffer()

/** A sample as libheif decodes it here, reduced for comparisons. */
export async function reference(name: string): Promise<Buffer> {
  const { HeifDecoder } = await libheif
  const [image] = new HeifDecoder().decode(readFileSync(join(folder, name)))
  if (!image) throw new Error(`${name} cannot be read`)
  const [width, height] = [image.get_width(), image.get_height()]
  const data = new Uint8ClampedArray(width * height * 4)
  await new Promise<void>((done) => image.display({ data, width, height }, done))
  const flat = await sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: glows.has(name) ? '#000' : '#fff' })
    .raw()
    .toBuffer()
  return thumbnail(sharp(flat, { raw: { width, height, channels: 3 } }))
}

/** The values of a JPEG as stored, without regard to its colour space, reduced for comparisons. */
export async function values(jpeg: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(jpeg).keepIccProfile().raw().toBuffer({ resolveWithObject: true })
  return thumbnail(sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } }))
}
