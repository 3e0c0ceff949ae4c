// Media kinds and extensions (specification section 5), and the view of a post's media.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/ids.ts'

export type MediaKind = 'image' | 'video'

/** Section 5: what the editor's picker accepts. */
export const acceptedExtensions = [
  'jpg',
  'jpeg',
  'png',
  'gif',
  'svg',
  'webp',
  'mp4',
  'mov',
  'mkv',
  'm4v',
  'hevc',
  'heic',
] as const
/** Section 5: image-only list. */
export const imageExtensions = ['jpg', 'jpeg', 'png', 'gif', 'svg', 'webp', 'heic'] as const
/** Section 5: video list. It names formats that are not videos (m3u8, bmp, tiff); no file of those is taken. */
export const videoExtensions = [
  'flv',
  'mp4',
  'm3u8',
  'ts',
  '3gp',
  'mov',
  'avi',
  'wmv',
  'bmp',
  'tiff',
  'mkv',
  'm4v',
  'mpg',
  'mpeg',
  'hevc',
] as const
/** Section 5: videos that need no thumbnail of their own. The second variant exempts mp4 alone. */
export const thumbnailExempt = { chunked: ['mp4', 'mov'], tus: ['mp4'] } as const

/** The part of a file name after its last dot, lower case, or '' where there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
}

/** What the server has made of an upload so far. */
export const mediaState = v.picklist(['processing', 'ready', 'failed'])

/**
 * Why an upload could not be converted. `unreadable`: broken, or not of its declared format. `needs_converter`: browsers do
 * not play it, or its packets are not what it shows, and the server has no converter for it. `too_large`: more pixels than
 * are decoded. `gave_up`: processing timed out. `no_sandbox`: this server has no sandbox for decoders yet; the file stays.
 */
export const mediaFailure = v.picklist([
  'unreadable',
  'needs_converter',
  'too_large',
  'gave_up',
  'no_sandbox',
])
export type MediaFailure = v.InferOutput<typeof mediaFailure>

/** Failures that the same file has again whenever the same version of the server processes it. */
const finalFailures: ReadonlySet<MediaFailure> = new Set(['unreadable', 'too_large'])

/** Whether processing a failed file again may succeed. */
export function maySucceed({
  failure,
  newer_maker,
}: {
  failure: MediaFailure
  newer_maker?: boolean | undefined
}): boolean {
  return newer_maker === true || !finalFailures.has(failure)
}

/** Addresses of one picture by their width, px, smallest first. */
export const pictureSources = v.array(v.object({ src: v.string(), width: v.number() }))
export type PictureSource = v.InferOutput<typeof pictureSources>[number]

/** One part of a strip, px. */
export const picturePart = v.object({ src: v.string(), width: v.number(), height: v.number() })
export type PicturePart = v.InferOutput<typeof picturePart>

/** A picture that every member may see: a cover, or a plan's. `placeholder`: ThumbHash, base64. */
export const openPicture = v.object({ sources: pictureSources, placeholder: v.optional(v.string()) })
export type OpenPicture = v.InferOutput<typeof openPicture>

export const imageView = v.object({
  kind: v.literal('image'),
  id,
  state: mediaState,
  /** For the author alone, when `state` is `failed`. */
  failure: v.optional(mediaFailure),
  /** With `failure`: whether the server takes more files since, so that this one may succeed. */
  newer_maker: v.optional(v.boolean()),
  alt: v.string(),
  width: v.nullable(v.number()),
  height: v.nullable(v.number()),
  /** Widths made by the server, smallest first; empty until ready. */
  sources: pictureSources,
  /** The parts of a strip, from the top; its `sources` are of the top alone. */
  parts: v.optional(v.array(picturePart)),
  /** The first frame of a moving picture, for reduced motion and cards. */
  still: v.optional(v.string()),
  /** ThumbHash of the picture or poster, base64: its colours while it loads. */
  placeholder: v.optional(v.string()),
  /** The very bytes that were sent; for the author alone. */
  original_url: v.optional(v.string()),
})

export const videoView = v.object({
  kind: v.literal('video'),
  id,
  state: mediaState,
  /** For the author alone, when `state` is `failed`. */
  failure: v.optional(mediaFailure),
  /** With `failure`: whether the server takes more files since, so that this one may succeed. */
  newer_maker: v.optional(v.boolean()),
  alt: v.string(),
  width: v.nullable(v.number()),
  height: v.nullable(v.number()),
  /** Whole seconds. */
  duration: v.nullable(v.number()),
  /** A file any current browser plays, location metadata removed; null until ready. */
  src: v.nullable(v.string()),
  /** The same video as HLS, for longer ones; under the same access as `src`. */
  hls: v.optional(v.string()),
  poster: v.nullable(v.string()),
  /** ThumbHash of the picture or poster, base64: its colours while it loads. */
  placeholder: v.optional(v.string()),
  original_url: v.optional(v.string()),
})

export const mediaView = v.variant('kind', [imageView, videoView])
export type MediaView = v.InferOutput<typeof mediaView>
export type ImageView = v.InferOutput<typeof imageView>
export type VideoView = v.InferOutput<typeof videoView>

/** Puts a failed file back to work, for its author. One that is under work or ready stays as it is. */
export const retryMedia = endpoint({
  name: 'retryMedia',
  method: 'POST',
  path: '/media/:media_id/retry',
  audience: 'member',
  summary: '処理できなかったファイルをもう一度処理します',
  params: v.object({ media_id: id }),
  reply: v.object({ data: v.object({ id, state: mediaState }) }),
  errors: ['unauthenticated', 'not_found'],
})
