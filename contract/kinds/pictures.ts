// Recognises JPEG, PNG, GIF and WebP by the structure of the file before the pixels.
import type { FileBytes } from './file-bytes.ts'
import type { Mime } from './kind.ts'

/** Segments or chunks that are read before the pixels. */
const MAX_PARTS = 4000

/** Start-of-frame markers; C4, C8 and CC are other markers. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Segments by their length, up to a frame header with a width. */
export async function jpegKind(bytes: FileBytes): Promise<Mime | undefined> {
  if (bytes.head.byte(0) !== 0xff || bytes.head.byte(1) !== 0xd8) return undefined
  let at = 2
  for (let i = 0; i < MAX_PARTS; i++) {
    const segment = await bytes.at(at, 9)
    const marker = segment.byte(1) ?? 0
    if (segment.length < 4 || segment.byte(0) !== 0xff) return undefined
    if (marker === 0xff) {
      // A fill byte.
      at += 1
      continue
    }
    const length = segment.number(2, 2)
    if (marker < 0xc0 || length < 2) return undefined
    if (isFrame(marker)) return segment.length === 9 && segment.number(7, 2) > 0 ? 'image/jpeg' : undefined
    at += 2 + length
  }
  return undefined
}

const PNG = '89504e470d0a1a0a'

/** The image header, then chunks up to the pixels. */
export async function pngKind(bytes: FileBytes): Promise<Mime | undefined> {
  const { head } = bytes
  if (head.length < 33 || head.hex(0, 8) !== PNG) return undefined
  if (head.number(8, 4) !== 13 || head.text(12, 16) !== 'IHDR') return undefined
  if (head.number(16, 4) === 0 || head.number(20, 4) === 0) return undefined
  let at = 33
  for (let i = 0; i < MAX_PARTS; i++) {
    const chunk = await bytes.at(at, 8)
    const type = chunk.text(4, 8)
    if (!/^[A-Za-z]{4}$/.test(type)) return undefined
    if (type === 'IDAT') return 'image/png'
    at += 12 + chunk.number(0, 4)
  }
  return undefined
}

/** Header and colour table, then an extension or an image. */
export function gifKind({ head }: FileBytes): Mime | undefined {
  if (!/^GIF8[79]a$/.test(head.text(0, 6)) || head.length < 14) return undefined
  const packed = head.byte(10) ?? 0
  const table = (packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1)
  const block = head.byte(13 + table)
  return block === 0x21 || block === 0x2c ? 'image/gif' : undefined
}

/** RIFF whose first chunk is one of the three a WebP begins with. */
export function webpKind({ head }: FileBytes): Mime | undefined {
  const text = (from: number) => head.text(from, from + 4)
  if (text(0) !== 'RIFF' || text(8) !== 'WEBP' || head.length < 20) return undefined
  const isValid =
    ['VP8 ', 'VP8L', 'VP8X'].includes(text(12)) && head.littleEndian(16, 4) <= head.littleEndian(4, 4)
  return isValid ? 'image/webp' : undefined
}
