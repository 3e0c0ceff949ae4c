// Removes metadata (position, camera, captions) from a picture without changing a pixel.
// Orientation, colour profile and animation stay.
import { orientationOf, orientationOnly } from './exif.ts'
import { stripPng } from './strip-png.ts'
import { stripWebp } from './strip-webp.ts'

export type Strippable = 'jpg' | 'png' | 'webp'

type Bytes = Uint8Array<ArrayBuffer>

/** The picture without its metadata; undefined when its structure is broken. */
export function strip(bytes: Bytes, format: Strippable): Bytes[] | undefined {
  switch (format) {
    case 'jpg':
      return stripJpeg(bytes)
    case 'png':
      return stripPng(bytes)
    case 'webp':
      return stripWebp(bytes)
    default:
      return format satisfies never
  }
}

const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee
const COMMENT = 0xfe
const START_OF_SCAN = 0xda
const END = 0xd9

/**
 * A JPEG without APP1 (Exif, XMP), APP13 (IPTC), comments and makers' segments. JFIF, the colour profile and Adobe's
 * colour transform stay, since they change how pixels are shown. Bytes after the end are cut, since phones append
 * previews and videos with metadata there.
 */
function stripJpeg(bytes: Bytes): Bytes[] | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  const parts: Bytes[] = []
  let orientation = 1
  let at = 2
  for (;;) {
    if (bytes[at] !== 0xff) return undefined
    while (bytes[at + 1] === 0xff) at++
    const marker = bytes[at + 1]
    if (marker === undefined) return undefined
    if (marker === END) {
      parts.push(bytes.subarray(at, at + 2))
      break
    }
    const end = at + 2 + 256 * (bytes[at + 2] ?? 0) + (bytes[at + 3] ?? 0)
    if (end < at + 4 || end > bytes.length) return undefined
    const segment = bytes.subarray(at, end)
    if (marker === APP1 && startsWith(segment, 4, 'Exif\0\0'))
      orientation = orientationOf(segment.subarray(10))
    if (isRetained(marker, segment)) parts.push(segment)
    at = end
    if (marker !== START_OF_SCAN) continue
    const scanned = endOfScan(bytes, at)
    parts.push(bytes.subarray(at, scanned))
    at = scanned
    // Some cameras omit the end marker; browsers show such pictures.
    if (at >= bytes.length) break
  }
  const exif = orientation === 1 ? [] : [exifSegment(orientation)]
  return [bytes.subarray(0, 2), ...withExif(parts, exif)]
}

/** The segments with Exif after JFIF, which must be first. */
function withExif(parts: Bytes[], turned: Bytes[]): Bytes[] {
  return parts[0]?.[1] === APP0 ? [parts[0], ...turned, ...parts.slice(1)] : [...turned, ...parts]
}

function isRetained(marker: number, segment: Bytes): boolean {
  if (marker === COMMENT) return false
  if (marker < APP0 || marker > 0xef) return true
  if (marker === APP0) return startsWith(segment, 4, 'JFIF\0')
  if (marker === APP2) return startsWith(segment, 4, 'ICC_PROFILE\0')
  return marker === APP14 && startsWith(segment, 4, 'Adobe')
}

/** End of the compressed data: the next marker that is no stuffed byte and no restart. */
function endOfScan(bytes: Bytes, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next !== undefined && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

function exifSegment(orientation: number): Bytes {
  const tiff = orientationOnly(orientation)
  const head = [0xff, APP1, 0, 8 + tiff.length, ...new TextEncoder().encode('Exif\0\0')]
  return Uint8Array.from([...head, ...tiff])
}

function startsWith(bytes: Bytes, at: number, text: string): boolean {
  return new TextEncoder().encode(text).every((it, i) => bytes[at + i] === it)
}
