// Removes the metadata chunks of a PNG.
import { orientationOf, orientationOnly } from './exif.ts'

type Bytes = Uint8Array<ArrayBuffer>

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const metadata = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])

/**
 * The chunks to retain, in their order, with the orientation alone. Bytes after the last chunk are cut. Of a file that is cut
 * off within its pixels, what is there stays: browsers show it as far as it goes.
 */
export function stripPng(bytes: Bytes): Bytes[] | undefined {
  if (SIGNATURE.some((it, i) => bytes[i] !== it)) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const retained: Bytes[] = [bytes.subarray(0, 8)]
  let hasPixels = false
  for (let at = 8; ;) {
    if (at + 8 > bytes.length) return hasPixels ? retained : undefined
    const end = at + 12 + view.getUint32(at)
    const type = typeOf(bytes.subarray(at))
    if (end > bytes.length) {
      if (type === 'IDAT') return [...retained, bytes.subarray(at)]
      return hasPixels ? retained : undefined
    }
    hasPixels ||= type === 'IDAT'
    if (!metadata.has(type)) retained.push(bytes.subarray(at, end))
    if (type === 'eXIf') {
      const orientation = orientationOf(bytes.subarray(at + 8, end - 4))
      if (orientation !== 1) retained.push(chunk('eXIf', orientationOnly(orientation)))
    }
    if (type === 'IEND') return retained
    at = end
  }
}

/** The type of a chunk. */
const typeOf = (bytes: Bytes) => String.fromCharCode(...bytes.subarray(4, 8))

function chunk(type: string, data: Bytes): Bytes {
  const made = new Uint8Array(12 + data.length)
  const view = new DataView(made.buffer)
  view.setUint32(0, data.length)
  made.set(new TextEncoder().encode(type), 4)
  made.set(data, 8)
  view.setUint32(8 + data.length, crc32(made.subarray(4, 8 + data.length)))
  return made
}

/** The check sum of PNG chunks (ISO 3309). */
function crc32(bytes: Bytes): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}
