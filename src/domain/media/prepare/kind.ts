// Detects a file's kind by its bytes, since names and browser types are often wrong.
import { extensionOf, imageExtensions, type MediaKind, videoExtensions } from '#contract/posts/media.ts'
import { isSvgText } from '#contract/text/svg-text.ts'

export interface Recognised {
  /** The detected format, as an extension: `jpg`, `heic`, `mov`, `m3u8`, `bmp` … */
  format: string
  mime: string
  /** Undefined for formats that the editor does not accept (specification section 5). */
  kind: MediaKind | undefined
}

/** Number of first bytes that this file's own checks need. */
const HEAD = 4096

/** Detects the format of a file by its first bytes; undefined when it is unknown. */
export async function recognise(file: Blob): Promise<Recognised | undefined> {
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer())
  const own = detectByContent(head)
  if (own) return { ...own, kind: kindOf(own.format, own.mime) }
  const { fileTypeFromBlob } = await import('file-type')
  // A truncated file makes the reader reject; its format is unknown.
  const found = await fileTypeFromBlob(file).catch(() => undefined)
  if (!found) return undefined
  const format = formatNames[found.ext] ?? found.ext
  return { format, mime: found.mime, kind: kindOf(format, found.mime) }
}

/** Extensions of section 5 for formats that file-type names otherwise. */
const formatNames: Record<string, string> = { apng: 'png', mts: 'ts', asf: 'wmv' }

/** Detects formats that file-type does not: a bare SVG, raw HEVC, a playlist. */
export function detectByContent(head: Uint8Array): { format: string; mime: string } | undefined {
  if (isRawHevc(head)) return { format: 'hevc', mime: 'video/hevc' }
  const text = new TextDecoder().decode(head)
  if (/^\uFEFF?#EXTM3U(?:[\r\n]|$)/.test(text)) {
    return { format: 'm3u8', mime: 'application/vnd.apple.mpegurl' }
  }
  return isSvgText(text) ? { format: 'svg', mime: 'image/svg+xml' } : undefined
}

/** Whether the bytes begin an Annex B stream of HEVC (NAL types 32 to 35). */
function isRawHevc(head: Uint8Array): boolean {
  const start = head[0] === 0 && head[1] === 0 && head[2] === 0 ? 1 : 0
  if (head[start] !== 0 || head[start + 1] !== 0 || head[start + 2] !== 1) return false
  const [first, second] = [head[start + 3], head[start + 4]]
  if (first === undefined || second === undefined) return false
  const type = first >> 1
  // Layer 0 and temporal id 1 distinguish it from MPEG-2, which begins alike.
  return (first & 0x81) === 0 && second === 1 && type >= 32 && type <= 35
}

/** The kind by the lists of section 5. Playlists and pictures of the video list (m3u8, bmp, tiff) are not accepted. */
function kindOf(format: string, mime: string): MediaKind | undefined {
  if (imageExtensions.some((it) => it === format)) return 'image'
  return mime.startsWith('video/') && videoExtensions.some((it) => it === format) ? 'video' : undefined
}

/** Extensions with the same meaning as a format. */
const synonyms: Record<string, readonly string[]> = { jpg: ['jpeg'], mp4: ['m4v'], m4v: ['mp4'] }

/** The file's name with the extension of its format: `clip.png` of a video becomes `clip.mp4`. */
export function nameWithTrueExtension(name: string, format: string): string {
  const extension = extensionOf(name)
  if (extension === format || synonyms[format]?.includes(extension)) return name
  const stem = extension === '' ? name : name.slice(0, -extension.length - 1)
  return `${stem || 'file'}.${format}`
}
