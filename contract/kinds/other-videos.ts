// Recognises AVI, FLV, ASF and raw HEVC by the headers before the first video data.
import type { FileBytes } from './file-bytes.ts'
import type { Mime } from './kind.ts'

/** RIFF with a list of headers whose first is the main AVI header of 56 bytes. */
export function aviKind({ head }: FileBytes): Mime | undefined {
  const text = (from: number) => head.text(from, from + 4)
  if (text(0) !== 'RIFF' || text(8) !== 'AVI ' || head.length < 88) return undefined
  const isValid = text(12) === 'LIST' && text(20) === 'hdrl' && text(24) === 'avih'
  return isValid && head.littleEndian(28, 4) >= 56 && head.littleEndian(16, 4) >= 68
    ? 'video/vnd.avi'
    : undefined
}

/** Audio, video, script. */
const flvTags = new Set([8, 9, 18])
/** Tags that are checked, if the first 64 KiB have so many. */
const FLV_TAGS = 3

/** The file header, then tags, each followed by its own size. */
export function flvKind({ head }: FileBytes): Mime | undefined {
  if (head.text(0, 3) !== 'FLV' || head.length < 24) return undefined
  if (head.byte(3) !== 1 || ((head.byte(4) ?? 0xff) & 0xfa) !== 0) return undefined
  if (head.number(5, 4) !== 9 || head.number(9, 4) !== 0) return undefined
  let at = 13
  for (let tag = 0; tag < FLV_TAGS && at + 11 <= head.length; tag++) {
    if (!flvTags.has(head.byte(at) ?? 0) || head.number(at + 8, 3) !== 0) return undefined
    const size = 11 + head.number(at + 1, 3)
    if (at + size + 4 <= head.length && head.number(at + size, 4) !== size) return undefined
    at += size + 4
  }
  return at > 13 ? 'video/x-flv' : undefined
}

const ASF_HEADER = '3026b2758e66cf11a6d900aa0062ce6c'
const ASF_STREAM = '9107dcb7b7a9cf118ee600c00c205365'
const ASF_VIDEO = 'c0ef19bc4d5bcf11a8fd00805f5c442b'
/** Objects of one header that are read. */
const MAX_OBJECTS = 1000

/** A header object whose objects name a video stream. */
export async function asfKind(bytes: FileBytes): Promise<Mime | undefined> {
  const { head } = bytes
  if (head.length < 30 || head.hex(0, 16) !== ASF_HEADER) return undefined
  const end = head.littleEndian(16, 8)
  if (end > bytes.size || head.byte(28) !== 1 || head.byte(29) !== 2) return undefined
  const count = Math.min(head.littleEndian(24, 4), MAX_OBJECTS)
  for (let at = 30, i = 0; i < count && at + 24 <= end; i++) {
    const object = await bytes.at(at, 40)
    if (object.length < 24) return undefined
    const size = object.littleEndian(16, 8)
    if (size < 24 || at + size > end) return undefined
    if (object.hex(0, 16) === ASF_STREAM && object.hex(24, 40) === ASF_VIDEO) return 'video/x-ms-asf'
    at += size
  }
  return undefined
}

const [VIDEO_PARAMETERS, SEQUENCE_PARAMETERS, PICTURE_PARAMETERS, DELIMITER] = [32, 33, 34, 35]
/** The lowest type that is not a slice of a picture. */
const FIRST_OF_NO_SLICE = 32

/** Units of parameters for video, sequence and picture, in this order, before the first slice. */
export function hevcKind({ head }: FileBytes): Mime | undefined {
  const wanted = [VIDEO_PARAMETERS, SEQUENCE_PARAMETERS, PICTURE_PARAMETERS]
  const first = head.startCode()
  if (first !== 0 && !(first === 1 && head.byte(0) === 0)) return undefined
  for (let at = first; at >= 0 && wanted.length > 0; at = head.startCode(at + 3)) {
    const [byte, layer] = [head.byte(at + 3) ?? 0xff, head.byte(at + 4) ?? 0]
    // The forbidden bit is 0, and a temporal id plus one is never 0.
    if ((byte & 0x80) !== 0 || (layer & 7) === 0) return undefined
    const type = byte >> 1
    if (type === wanted[0]) wanted.shift()
    else if (type < FIRST_OF_NO_SLICE || (wanted[0] === VIDEO_PARAMETERS && type !== DELIMITER))
      return undefined
  }
  return wanted.length === 0 ? 'video/hevc' : undefined
}
