// Writes an animated WebP from frames that are WebP pictures of one size.
import { type Bytes, chunk, fourCC, webpOf } from './riff.ts'

export interface WebpFrame {
  /** A WebP of one picture. */
  readonly webp: Bytes
  /** How long it is shown, ms. */
  readonly delay: number
}

interface Animation {
  readonly width: number
  readonly height: number
  /** How often the frames are shown; 0 without end. */
  readonly loop: number
}

/** Flags of the first chunk. */
const [MOVES, ALPHA] = [0x02, 0x10]
/** Flag of a frame that replaces what is there. */
const REPLACES = 0x02
const MAX_LOOP = 0xffff

/** The chunks with the pixels of a WebP. */
function* pixelsOf(webp: Bytes): Generator<Bytes> {
  const view = new DataView(webp.buffer, webp.byteOffset, webp.byteLength)
  for (let at = 12; at + 8 <= webp.length;) {
    const size = view.getUint32(at + 4, true)
    const end = at + 8 + size + (size & 1)
    if (['ALPH', 'VP8 ', 'VP8L'].includes(fourCC(webp, at))) yield webp.subarray(at, end)
    at = end
  }
}

/** Writes numbers of 24 bits. */
function write24(view: DataView, at: number, ...values: number[]): void {
  for (const [i, value] of values.entries()) {
    view.setUint16(at + 3 * i, value & 0xffff, true)
    view.setUint8(at + 3 * i + 2, value >>> 16)
  }
}

/** The parts of an animated WebP whose frames are whole pictures. */
export function animatedWebp(frames: readonly WebpFrame[], { width, height, loop }: Animation): Bytes[] {
  let flags = MOVES
  const drawn = frames.map(({ webp, delay }) => {
    const pixels = [...pixelsOf(webp)]
    // A lossless picture says in its own header whether it has transparency.
    if (pixels.some((it) => fourCC(it, 0) !== 'VP8 ')) flags |= ALPHA
    const data = new Uint8Array(16 + pixels.reduce((sum, it) => sum + it.length, 0))
    write24(new DataView(data.buffer), 6, width - 1, height - 1, delay)
    data[15] = REPLACES
    let at = 16
    for (const part of pixels) {
      data.set(part, at)
      at += part.length
    }
    return chunk('ANMF', data)
  })
  const header = new Uint8Array(10)
  header[0] = flags
  write24(new DataView(header.buffer), 4, width - 1, height - 1)
  const shown = new Uint8Array(6)
  new DataView(shown.buffer).setUint16(4, Math.min(loop, MAX_LOOP), true)
  return webpOf([chunk('VP8X', header), chunk('ANIM', shown), ...drawn])
}
