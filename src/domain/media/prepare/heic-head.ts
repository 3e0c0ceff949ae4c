// Reads size, bit depth and transparency from the boxes of a HEIC.

/** Property boxes come before the picture's data. */
const HEAD = 262_144
/** Offset of the luma depth from the type of an `hvcC` box; chroma follows. */
const DEPTH_AT = 4 + 17
/** Offset of the width from the type of an `ispe` box; the height follows. */
const SIZE_AT = 4 + 4

export interface HeicHead {
  /** Whether every picture in the file has 8 bits per value. */
  is8Bit: boolean
  /** Whether a picture in the file has transparency. */
  hasAlpha: boolean
  /** Longest side of its largest picture, px; 0 when the boxes have no size. */
  longest: number
}

/** Types of auxiliary pictures (`auxC`) that are alpha planes: of HEVC, and of any codec. */
const ALPHA = ['urn:mpeg:hevc:2015:auxid:1\0', 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0']

/** Never throws: bytes without such boxes are not reported as 8 bits. */
export function readHeicHead(bytes: Uint8Array): HeicHead {
  const head = bytes.subarray(0, HEAD)
  const text = new TextDecoder('latin1').decode(head)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const depths = offsetsOf(text, 'hvcC', DEPTH_AT + 2).flatMap((at) => [
    view.getUint8(at + DEPTH_AT) & 7,
    view.getUint8(at + DEPTH_AT + 1) & 7,
  ])
  const sides = offsetsOf(text, 'ispe', SIZE_AT + 8).flatMap((at) => [
    view.getUint32(at + SIZE_AT),
    view.getUint32(at + SIZE_AT + 4),
  ])
  return {
    is8Bit: depths.length > 0 && depths.every((it) => it === 0),
    hasAlpha: ALPHA.some((it) => text.includes(it)),
    longest: Math.max(0, ...sides),
  }
}

/** Offsets of the boxes of a type that have at least `length` bytes. */
function offsetsOf(text: string, type: string, length: number): number[] {
  const places: number[] = []
  for (let at = text.indexOf(type); at >= 0; at = text.indexOf(type, at + 4))
    if (at + length <= text.length) places.push(at)
  return places
}
