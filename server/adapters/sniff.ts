// What a file is, told by its bytes: its name and the type the client gave are not believed.
import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'

const images = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/heic',
  'image/heif',
  'image/heic-sequence',
  'image/heif-sequence',
])
const videos = new Map([
  ['video/mp4', 'mp4'],
  ['video/x-m4v', 'm4v'],
  ['video/quicktime', 'mov'],
  ['video/matroska', 'mkv'],
  ['video/x-matroska', 'mkv'],
  ['video/webm', 'webm'],
  ['video/3gpp', '3gp'],
  ['video/mp2t', 'ts'],
  ['video/mpeg', 'mpg'],
  ['video/MP1S', 'mpg'],
  ['video/MP2P', 'mpg'],
  ['video/x-flv', 'flv'],
  ['video/vnd.avi', 'avi'],
  ['video/x-ms-wmv', 'wmv'],
  ['video/x-ms-asf', 'wmv'],
])

export interface Sniffed {
  readonly kind: 'image' | 'video'
  readonly mime: string
  readonly extension: string
}

/** The kind of a file, or undefined when the product does not take it. */
export async function sniff(file: string): Promise<Sniffed | undefined> {
  const known = await fileTypeFromFile(file)
  if (known && images.has(known.mime)) return { kind: 'image', mime: known.mime, extension: known.ext }
  const video = known && videos.get(known.mime)
  if (video) return { kind: 'video', mime: known.mime, extension: video }
  if (known && known.mime !== 'application/xml') return undefined
  const head = await headOf(file)
  if (isSvg(head.toString('utf8'))) return { kind: 'image', mime: 'image/svg+xml', extension: 'svg' }
  if (isRawHevc(head)) return { kind: 'video', mime: 'video/hevc', extension: 'hevc' }
  return undefined
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** file-type does not know an SVG without an XML declaration. */
function isSvg(text: string): boolean {
  const bare = text
    .replace(/^\uFEFF/, '')
    .replace(/<\?xml[\s\S]*?\?>/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<!DOCTYPE svg[^>[]*(\[[\s\S]*?\])?[^>]*>/gi, '')
    .trimStart()
  return /^<svg[\s/>]/i.test(bare)
}

/** A raw HEVC stream starts with a video parameter set (NAL type 32). */
function isRawHevc(head: Buffer): boolean {
  const start = head.indexOf(Buffer.from([0, 0, 1]))
  const nal = head[start + 3]
  return (start === 0 || (start === 1 && head[0] === 0)) && nal !== undefined && nal >> 1 === 32
}
