// Removes the metadata chunks of a WebP.
import { orientationOf, orientationOnly } from './exif.ts'
import { type Bytes, chunk, fourCC, webpOf } from './riff.ts'

/** Flags of the VP8X chunk. */
const XMP = 0x04
const EXIF = 0x08

/** The chunks to retain under a new length, with the orientation alone. */
export function stripWebp(bytes: Bytes): Bytes[] | undefined {
  const read = withoutMetadata(bytes)
  return read && withOrientation(read.chunks, read.orientation)
}

/** A picture that its Exif turns, as it is stored: browsers do not agree on turning a WebP. */
export interface Turned {
  readonly orientation: number
  /** Without Exif. */
  readonly stored: Bytes[]
}

/** @returns undefined for a picture that is stored upright, and for broken files */
export function turnedWebp(bytes: Bytes): Turned | undefined {
  const read = withoutMetadata(bytes)
  if (!read || read.orientation === 1) return undefined
  return { orientation: read.orientation, stored: withOrientation(read.chunks, 1) }
}

function withoutMetadata(bytes: Bytes): { chunks: Bytes[]; orientation: number } | undefined {
  if (fourCC(bytes, 0) !== 'RIFF' || fourCC(bytes, 8) !== 'WEBP') return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: Bytes[] = []
  let orientation = 1
  const last = 8 + view.getUint32(4, true)
  if (last > bytes.length) return undefined
  for (let at = 12; at < last;) {
    if (at + 8 > last) return undefined
    const size = view.getUint32(at + 4, true)
    const end = at + 8 + size
    if (end > last) return undefined
    const type = fourCC(bytes, at)
    if (type === 'EXIF') {
      orientation = orientationOf(tiffIn(bytes.subarray(at + 8, end)))
    } else if (type !== 'XMP ') chunks.push(bytes.slice(at, end + (size & 1)))
    at = end + (size & 1)
  }
  return { chunks, orientation }
}

function withOrientation(retained: Bytes[], orientation: number): Bytes[] {
  const exif = orientation === 1 ? undefined : chunk('EXIF', orientationOnly(orientation))
  const head = retained[0]
  const flags = head?.[8]
  if (head && flags !== undefined && fourCC(head, 0) === 'VP8X') {
    head[8] = (flags & ~(XMP | EXIF)) | (exif ? EXIF : 0)
  }
  return webpOf(exif ? [...retained, exif] : retained)
}

/** The TIFF block; some encoders write JPEG's `Exif` prefix before it. */
function tiffIn(data: Bytes): Bytes {
  return fourCC(data, 0) === 'Exif' ? data.subarray(6) : data
}
