// Detects a picked file's kind by its bytes: names and the browser's `type` are often wrong.
import { extensionOf, imageExtensions, type MediaKind, videoExtensions } from '#contract/posts/media.ts'
import { isSvgText } from '#contract/text/svg-text.ts'

export interface Recognised {
  /** What the bytes say, as an extension: `jpg`, `heic`, `mov`, `m3u8`, `bmp` … */
  format: string
  mime: string
  /** Undefined for what the editor does not take (specification section 5). */
  kind: MediaKind | undefined
}

/** As many first bytes as our own looks need. */
const HEAD = 4096

/** Reads the first bytes of a file and says what it is; undefined when nothing is known of such bytes. */
export async function recognise(file: Blob): Promise<Recognised | undefined> {
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer())
  const own = detectByContent(head)
  if (own) return { ...own, kind: kindOf(own.format, own.mime) }
  const { fileTypeFromBlob } = await import('file-type')
  // A cut-off file ends its reader early; it is then nothing we know.
  const found = await fileTypeFromBlob(file).catch(() => undefined)
  if (!found) return undefined
  const format = formatNames[found.ext] ?? found.ext
  return { format, mime: found.mime, kind: kindOf(format, found.mime) }
}

/** Names that file-type gives to formats which section 5 lists under another extension. */
const formatNames: Record<string, string> = { apng: 'png', mts: 'ts', asf: 'wmv' }

/** Kinds that file-type does not detect: a bare SVG, a raw HEVC stream, a playlist. */
export function detectByContent(head: Uint8Array): { format: string; mime: string } | undefined {
  if (isRawHevc(head)) return { format: 'hevc', mime: 'video/hevc' }
  const text = new TextDecoder().decode(head)
  if (/^\uFEFF?#EXTM3U(?:[\r\n]|$)/.test(text)) {
    return { format: 'm3u8', mime: 'application/vnd.apple.mpegurl' }
  }
  return isSvgText(text) ? { format: 'svg', mime: 'image/svg+xml' } : undefined
}

/** An Annex B stream that begins with a parameter set or an access unit delimiter of HEVC (types 32 to 35). */
function isRawHevc(head: Uint8Array): boolean {
  const start = head[0] === 0 && head[1] === 0 && head[2] === 0 ? 1 : 0
  if (head[start] !== 0 || head[start + 1] !== 0 || head[start + 2] !== 1) return false
  const [first, second] = [head[start + 3], head[start + 4]]
  if (first === undefined || second === undefined) return false
  const type = first >> 1
  // The layer is 0 and the temporal id 1: an MPEG-2 stream, which begins alike, says otherwise.
  return (first & 0x81) === 0 && second === 1 && type >= 32 && type <= 35
}

/** By the lists of section 5. The video list also names playlists and pictures (m3u8, bmp, tiff): those are not taken. */
function kindOf(format: string, mime: string): MediaKind | undefined {
  if (imageExtensions.some((it) => it === format)) return 'image'
  return mime.startsWith('video/') && videoExtensions.some((it) => it === format) ? 'video' : undefined
}

/** Extensions that say the same as a format does. */
const alike: Record<string, readonly string[]> = { jpg: ['jpeg'], mp4: ['m4v'], m4v: ['mp4'] }

/** The file's name with an extension that is true: `clip.png` that is a film becomes `clip.mp4`. */
export function nameWithTrueExtension(name: string, format: string): string {
  const extension = extensionOf(name)
  if (extension === format || alike[format]?.includes(extension)) return name
  const stem = extension === '' ? name : name.slice(0, -extension.length - 1)
  return `${stem || 'file'}.${format}`
}
