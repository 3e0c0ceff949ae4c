// What a HEIC's boxes say of its pictures: their sizes, the bits of a colour value, transparency.

/** Property boxes come before the picture's data. */
const HEAD = 262_144
/** Bytes between the type of an `hvcC` box and its luma depth; the chroma depth follows. */
const DEPTH_AT = 4 + 17
/** Bytes between the type of an `ispe` box and its width; the height follows. */
const SIZE_AT = 4 + 4

export interface HeicHead {
  /** Every picture in it has 8 bits a value. */
  is8Bit: boolean
  /** Some of it is transparent. */
  hasAlpha: boolean
  /** Longest side of its largest picture, px; 0 where none is named. */
  longest: number
}

/** Types of auxiliary pictures (`auxC`) that are alpha planes: of HEVC, and of any codec. */
const ALPHA = ['urn:mpeg:hevc:2015:auxid:1\0', 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0']

/** Never fails: what has no such boxes is no HEIC of 8 bits. */
export function readHeicHead(bytes: Uint8Array): HeicHead {
  const head = bytes.subarray(0, HEAD)
  const text = new TextDecoder('latin1').decode(head)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const depths = placesOf(text, 'hvcC', DEPTH_AT + 2).flatMap((at) => [
    view.getUint8(at + DEPTH_AT) & 7,
    view.getUint8(at + DEPTH_AT + 1) & 7,
  ])
  const sides = placesOf(text, 'ispe', SIZE_AT + 8).flatMap((at) => [
    view.getUint32(at + SIZE_AT),
    view.getUint32(at + SIZE_AT + 4),
  ])
  return {
    is8Bit: depths.length > 0 && depths.every((it) => it === 0),
    hasAlpha: ALPHA.some((it) => text.includes(it)),
    longest: Math.max(0, ...sides),
  }
}

/** Where boxes of a type are that have `length` bytes from their type on. */
function placesOf(text: string, type: string, length: number): number[] {
  const places: number[] = []
  for (let at = text.indexOf(type); at >= 0; at = text.indexOf(type, at + 4))
    if (at + length <= text.length) places.push(at)
  return places
}
