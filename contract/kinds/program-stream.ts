// Recognises MPEG program streams and raw MPEG video by a header and further start codes.
import type { Bytes } from './bytes.ts'
import type { FileBytes } from './file-bytes.ts'
import type { Mime } from './kind.ts'

const PACK = 0xba
const SEQUENCE = 0xb3
/** System header, program map, padding, private, audio and video packets. */
const FIRST_PACKET = 0xbb
const LAST_PACKET = 0xef
/** Units after the first header that are checked, if the file has so many. */
const UNITS = 4
/** A sequence header is followed by another start code within this many bytes. */
const NEAR = 4096

function startCode(head: Bytes, at: number): number | undefined {
  return head.byte(at) === 0 && head.byte(at + 1) === 0 && head.byte(at + 2) === 1
    ? head.byte(at + 3)
    : undefined
}

export function programStreamKind({ head, size }: FileBytes): Mime | undefined {
  switch (startCode(head, 0)) {
    case PACK:
      return packsKind(head, size)
    case SEQUENCE:
      return isSequence(head) ? 'video/mpeg' : undefined
    default:
      return undefined
  }
}

/** The offset after a pack header, and its kind; undefined when its marker bits are wrong. */
function behindPack(head: Bytes, at: number): { readonly at: number; readonly mime: Mime } | undefined {
  const byte = (offset: number) => head.byte(at + offset) ?? 0
  if ((byte(4) & 0xc4) === 0x44) {
    const marked = (byte(6) & 4) !== 0 && (byte(8) & 4) !== 0 && (byte(9) & 1) !== 0 && (byte(12) & 3) === 3
    return marked ? { at: at + 14 + (byte(13) & 7), mime: 'video/MP2P' } : undefined
  }
  if ((byte(4) & 0xf1) !== 0x21) return undefined
  const marked = (byte(6) & 1) !== 0 && (byte(8) & 1) !== 0 && (byte(9) & 0x80) !== 0 && (byte(11) & 1) !== 0
  return marked ? { at: at + 12, mime: 'video/MP1S' } : undefined
}

function packsKind(head: Bytes, size: number): Mime | undefined {
  const first = behindPack(head, 0)
  if (!first) return undefined
  let at = first.at
  for (let unit = 0; unit < UNITS && at + 6 <= head.length; unit++) {
    const code = startCode(head, at)
    if (code === PACK) {
      const behind = behindPack(head, at)
      if (!behind) return undefined
      at = behind.at
    } else if (code !== undefined && code >= FIRST_PACKET && code <= LAST_PACKET) {
      at += 6 + head.number(at + 4, 2)
    } else return undefined
  }
  // At least one unit follows the first pack header.
  return at > first.at && at <= Math.max(size, head.length) ? first.mime : undefined
}

function isSequence(head: Bytes): boolean {
  if (head.length < 16) return false
  const width = head.number(4, 2) >> 4
  const height = head.number(5, 2) & 0x0fff
  const [ratio, rate] = [(head.byte(7) ?? 0) >> 4, (head.byte(7) ?? 0) & 0x0f]
  const marked = ((head.byte(10) ?? 0) & 0x20) !== 0
  if (width === 0 || height === 0 || ratio === 0 || rate === 0 || rate > 8 || !marked) return false
  const next = head.part(12, 12 + NEAR).startCode()
  const code = next < 0 ? undefined : head.byte(12 + next + 3)
  // Picture, user data, extension, group.
  return code === 0 || code === 0xb2 || code === 0xb5 || code === 0xb8
}
