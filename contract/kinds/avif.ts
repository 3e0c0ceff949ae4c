// Reads size, frames and transparency from the boxes of an AVIF.
import type { Bytes } from './bytes.ts'

export interface AvifFacts {
  /** Pixels of its largest picture, before rotation. */
  readonly width: number
  readonly height: number
  /** Frames of a moving AVIF; 1 for any other. */
  readonly frames: number
  /** Whether a picture in the file has transparency. */
  readonly hasAlpha: boolean
}

interface Box {
  readonly type: string
  readonly body: number
  readonly end: number
}

interface Span {
  readonly from: number
  readonly to: number
  /** Nesting of the boxes in it; 1 for those of the file itself. */
  readonly depth: number
}

/** Boxes that contain boxes, and the bytes before the first of them. */
const containers: Readonly<Record<string, number>> = {
  meta: 4,
  iprp: 0,
  ipco: 0,
  moov: 0,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
}
/** Nesting of `moov/trak/mdia/minf/stbl/stsz`; boxes that are nested deeper are not read. */
const MAX_DEPTH = 6
/** Type of an auxiliary picture or track that is an alpha plane. */
const ALPHA = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha'

/** Boxes from an offset, each before those inside it, up to the first whose size is invalid. */
function* boxesIn(bytes: Bytes, { from, to, depth }: Span): Generator<Box> {
  if (depth > MAX_DEPTH) return
  for (let at = from; at + 8 <= to;) {
    const short = bytes.number(at, 4)
    const isLong = short === 1 && at + 16 <= to
    const body = at + (isLong ? 16 : 8)
    const size = isLong ? bytes.number(at + 8, 8) : short === 0 ? to - at : short
    const end = at + size
    if (end < body || end > to) return
    const type = bytes.text(at + 4, at + 8)
    yield { type, body, end }
    const skipped = Object.hasOwn(containers, type) ? containers[type] : undefined
    if (skipped !== undefined) yield* boxesIn(bytes, { from: body + skipped, to: end, depth: depth + 1 })
    at = end
  }
}

/** Facts of an AVIF; a size of 0 where the boxes have none. Browsers show its track only under the major brand `avis`. */
export function avifFacts(bytes: Bytes): AvifFacts {
  const moves = bytes.text(8, 12) === 'avis'
  let [width, height, frames, hasAlpha] = [0, 0, 1, false]
  for (const { type, body, end } of boxesIn(bytes, { from: 0, to: bytes.length, depth: 1 })) {
    if (type === 'ispe' && body + 12 <= end) {
      width = Math.max(width, bytes.number(body + 4, 4))
      height = Math.max(height, bytes.number(body + 8, 4))
    } else if (type === 'tkhd' && end - 8 >= body) {
      width = Math.max(width, bytes.number(end - 8, 2))
      height = Math.max(height, bytes.number(end - 4, 2))
    } else if (type === 'stsz' && moves && body + 12 <= end)
      frames = Math.max(frames, bytes.number(body + 8, 4))
    else if (type === 'auxC' || type === 'stsd') hasAlpha ||= bytes.utf8(body, end).includes(ALPHA)
  }
  return { width, height, frames, hasAlpha }
}
