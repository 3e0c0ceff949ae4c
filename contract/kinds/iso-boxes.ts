// Recognises ISO base media files (MP4, MOV, HEIC, AVIF) by brands, boxes and data references.
import type { FileBytes } from './file-bytes.ts'
import type { Mime } from './kind.ts'

export interface Box {
  readonly type: string
  /** Offset of the first byte behind the header. */
  readonly body: number
  /** Offset behind the last byte. */
  readonly end: number
}

/** Boxes that lead to data references; all others are passed over by their size. */
const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf'])
/** Top-level boxes with which a QuickTime file without `ftyp` begins. */
const firstOfQuickTime = new Set(['moov', 'mdat', 'free', 'skip', 'wide', 'pnot'])
/** A compressed movie header hides its references, and a reference movie names other files. */
const refused = new Set(['cmov', 'rmra'])
/** Nesting of `moov/trak/mdia/minf/dinf/dref`. */
const MAX_DEPTH = 6
/** Most data references of one track. */
const MAX_REFERENCES = 64
/** Bytes of the first box in which brands are read. */
const MAX_BRANDS = 256
/** Flag of a data reference whose data is in the same file. */
const SELF_CONTAINED = 1

class Malformed extends Error {}

/** The kind of a major brand; undefined for brands that are not accepted. */
function mimeOfBrand(brand: string): Mime | undefined {
  switch (brand.replaceAll('\0', ' ').trim()) {
    case 'crx':
    case 'M4A':
    case 'M4B':
    case 'F4A':
    case 'F4B':
      return undefined
    case 'mif1':
      return 'image/heif'
    case 'msf1':
      return 'image/heif-sequence'
    case 'heic':
    case 'heix':
      return 'image/heic'
    case 'hevc':
    case 'hevx':
      return 'image/heic-sequence'
    case 'qt':
      return 'video/quicktime'
    case 'M4V':
    case 'M4VH':
    case 'M4VP':
      return 'video/x-m4v'
    default:
      if (!/^[\x20-\x7E]{3,4}$/.test(brand.replaceAll('\0', ' ').trim())) return undefined
      if (brand.startsWith('3g2')) return undefined
      return brand.startsWith('3g') ? 'video/3gpp' : 'video/mp4'
  }
}

/** Whether the brands of a file are those of AVIF. A picture of any codec (`mif1`, `msf1`) names its own among the others. */
function hasAvifBrand({ head }: FileBytes): boolean {
  if (head.length < 16 || head.text(4, 8) !== 'ftyp') return false
  const end = Math.min(head.number(0, 4), head.length, MAX_BRANDS)
  const brands = head.text(8, end).match(/[^]{4}/g) ?? []
  const [major = '', , ...others] = brands
  const isOwn = (brand: string) => brand === 'avif' || brand === 'avis'
  if (major !== 'mif1' && major !== 'msf1') return isOwn(major)
  return others.some(isOwn) && !others.some((it) => /^he[iv][cx]$/.test(it))
}

/** The kind of an ISO base media file whose boxes are valid and whose data is all in it. */
export async function isoKind(bytes: FileBytes): Promise<Mime | undefined> {
  const first = bytes.head.text(4, 8)
  if (first !== 'ftyp' && !firstOfQuickTime.has(first)) return undefined
  if (hasAvifBrand(bytes)) return undefined
  const mime = first === 'ftyp' ? mimeOfBrand(bytes.head.text(8, 12)) : 'video/quicktime'
  if (!mime) return undefined
  const seen = await typesIn(bytes)
  return seen.has(mime.startsWith('image/') ? 'meta' : 'moov') ? mime : undefined
}

/** Whether a file is an AVIF, still or moving, whose boxes are valid and whose data is all in it. */
export async function isAvif(bytes: FileBytes): Promise<boolean> {
  return hasAvifBrand(bytes) && (await typesIn(bytes)).has('meta')
}

/** The types of the top-level boxes; none of a file that is not accepted. */
async function typesIn(bytes: FileBytes): Promise<Set<string>> {
  try {
    return await walk(bytes, { from: 0, to: bytes.size, depth: 0 })
  } catch (error) {
    if (error instanceof Malformed) return new Set()
    throw error
  }
}

interface Span {
  readonly from: number
  readonly to: number
  readonly depth: number
}

/** @returns the types of the boxes directly inside @throws Malformed on sizes or references that are not accepted */
async function walk(bytes: FileBytes, { from, to, depth }: Span): Promise<Set<string>> {
  if (depth > MAX_DEPTH) throw new Malformed()
  const seen = new Set<string>()
  for (let at = from; at < to;) {
    // A container may end with a zero of 4 bytes, as QuickTime's `udta` does.
    if (to - at < 8) break
    const box = await boxAt(bytes, at, to, depth)
    // Some tools append their own bytes; decoders ignore them, since they have the header.
    if (!box && depth === 0 && (seen.has('moov') || seen.has('meta'))) break
    if (!box) throw new Malformed()
    if (refused.has(box.type)) throw new Malformed()
    seen.add(box.type)
    if (containers.has(box.type)) await walk(bytes, { from: box.body, to: box.end, depth: depth + 1 })
    else if (box.type === 'meta') await walkMeta(bytes, box, depth)
    else if (box.type === 'dref') await refuseForeignData(bytes, box)
    at = box.end
  }
  return seen
}

/** `meta` is a full box in MP4 and HEIC and a plain one in QuickTime. */
async function walkMeta(bytes: FileBytes, { body, end }: Box, depth: number): Promise<void> {
  const type = (await bytes.at(body + 4, 4)).text(0, 4)
  const from = type === 'hdlr' ? body : body + 4
  await walk(bytes, { from: Math.min(from, end), to: end, depth: depth + 1 })
}

/** The box at an offset; undefined where no box of a valid size begins. */
export async function boxAt(
  bytes: FileBytes,
  at: number,
  to: number,
  depth: number,
): Promise<Box | undefined> {
  const header = await bytes.at(at, 16)
  if (header.length < 8) return undefined
  const type = header.text(4, 8)
  const short = header.number(0, 4)
  const long = short === 1
  if (long && header.length < 16) return undefined
  const size = long ? header.number(8, 8) : short === 0 ? to - at : short
  const body = at + (long ? 16 : 8)
  if (at + size < body) return undefined
  // A recording that was cut off ends inside its media data.
  const end = at + size > to && depth === 0 && type === 'mdat' ? to : at + size
  if (end > to || (short === 0 && depth > 0)) return undefined
  return { type, body, end }
}

async function refuseForeignData(bytes: FileBytes, { body, end }: Box): Promise<void> {
  const count = (await bytes.at(body, 8)).number(4, 4)
  if (count > MAX_REFERENCES) throw new Malformed()
  let at = body + 8
  for (let i = 0; i < count; i++) {
    const entry = await bytes.at(at, 12)
    if (entry.length < 12 || at + 12 > end) throw new Malformed()
    const size = entry.number(0, 4)
    const flags = entry.number(9, 3)
    if (size < 12 || at + size > end || (flags & SELF_CONTAINED) === 0) throw new Malformed()
    at += size
  }
}
