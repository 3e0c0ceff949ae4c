// The kinds of files that the product accepts, with their MIME types and extensions.

const images = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/heif': 'heic',
  'image/heic-sequence': 'heic',
  'image/heif-sequence': 'heic',
  'image/svg+xml': 'svg',
} as const

const videos = {
  'video/mp4': 'mp4',
  'video/x-m4v': 'm4v',
  'video/quicktime': 'mov',
  'video/matroska': 'mkv',
  'video/webm': 'webm',
  'video/3gpp': '3gp',
  'video/mp2t': 'ts',
  'video/mpeg': 'mpg',
  'video/MP1S': 'mpg',
  'video/MP2P': 'mpg',
  'video/x-flv': 'flv',
  'video/vnd.avi': 'avi',
  'video/x-ms-asf': 'wmv',
  'video/hevc': 'hevc',
} as const

export type ImageMime = keyof typeof images
export type VideoMime = keyof typeof videos
export type Mime = ImageMime | VideoMime

export interface Sniffed {
  readonly kind: 'image' | 'video'
  readonly mime: Mime
  readonly extension: string
}

export function sniffed(mime: Mime): Sniffed {
  return mime in images
    ? { kind: 'image', mime, extension: images[mime as ImageMime] }
    : { kind: 'video', mime, extension: videos[mime as VideoMime] }
}
