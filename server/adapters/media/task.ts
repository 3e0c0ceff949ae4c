// Tasks and results of media processes.
import * as v from 'valibot'
import { type MediaFailure, mediaFailure } from '#contract/posts/media.ts'
import { FACE_WIDTH } from '#contract/paths.ts'

export interface MediaTask {
  readonly kind: 'image' | 'video'
  readonly mime: string
  readonly input: string
  /** An empty folder for the variants. */
  readonly output: string
  /** The picture that the author chose for a video. */
  readonly thumbnail: string | undefined
}

/** Copies the packets of a video into an MP4, if browsers play them unchanged. */
export interface CopyTask {
  readonly kind: 'copy'
  readonly mime: string
  readonly input: string
  /** An empty folder for the MP4. */
  readonly output: string
}

/** Makes smaller renditions of a video that already has HLS. */
export interface LadderTask {
  readonly kind: 'ladder'
  /** The MP4 that is played. */
  readonly input: string
  /** Its main playlist. */
  readonly main: string
  /** An empty folder for the new files, including the new main playlist. */
  readonly output: string
}

/** Tests what the process can reach. */
export interface ProbeTask {
  readonly kind: 'probe'
  readonly input: string
  readonly output: string
  /** A file that must not be readable. */
  readonly planted: string
  /** A port of 127.0.0.1 that must not be reachable. */
  readonly port: number
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** What ffmpeg is told about a film, because it does not read it from the file, or chooses otherwise than players do. */
const shown = v.strictObject({
  /** Ids of the tracks that a player chooses, in an MP4 or MOV. */
  tracks: v.exactOptional(v.strictObject({ video: count, audio: v.nullable(count) })),
  /** The clean aperture of the upright picture, pixels. */
  crop: v.exactOptional(v.strictObject({ width: count, height: count, x: count, y: count })),
  /** Width of a pixel by its height. */
  pixelShape: v.exactOptional(v.pipe(v.number(), v.minValue(0.01), v.maxValue(100))),
})
export type Shown = v.InferOutput<typeof shown>

/**
 * `foreign`: the container cannot be read. `unplayable`: browsers do not play the packets, or the packets are not what the
 * file shows; `videoPlays`: this is true of the sound alone.
 */
export const copyAnswer = v.variant('is', [
  v.strictObject({
    is: v.literal('copied'),
    width: count,
    height: count,
    /** Of the packets that were copied, whole seconds. */
    duration: count,
    /** Whether it is HLG or PQ. */
    isHdr: v.boolean(),
  }),
  v.strictObject({ is: v.literal('foreign') }),
  v.strictObject({ is: v.literal('unplayable'), videoPlays: v.boolean(), shown }),
  v.strictObject({ is: v.literal('unreadable') }),
])
export type CopyAnswer = v.InferOutput<typeof copyAnswer>

/** Heights of the renditions, in the order of the playlist; none where none is smaller than the source. */
export const ladderMade = v.strictObject({
  is: v.literal('ladder'),
  steps: v.pipe(v.array(v.pipe(count, v.maxValue(999))), v.maxLength(10), v.readonly()),
})
export type LadderMade = v.InferOutput<typeof ladderMade>

const mediaMade = v.strictObject({
  width: v.nullable(count),
  height: v.nullable(count),
  /** Whole seconds. */
  duration: v.nullable(count),
  animated: v.boolean(),
  made: v.strictObject({
    widths: v.pipe(v.array(v.pipe(count, v.maxValue(16_383))), v.maxLength(10), v.readonly()),
    poster: v.boolean(),
    blurred: v.boolean(),
    /** ThumbHash, base64; absent where there is no picture. */
    hash: v.exactOptional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{1,64}={0,2}$/))),
    /** The parts of a strip from the top, pixels; all have one width. */
    parts: v.exactOptional(
      v.strictObject({
        width: count,
        heights: v.pipe(v.array(v.pipe(count, v.maxValue(16_383))), v.maxLength(100), v.readonly()),
      }),
    ),
    /** Whether the first frame of a moving picture is a file of its own. */
    still: v.exactOptional(v.boolean()),
    /** Whether `hls/` is beside the MP4. */
    hls: v.exactOptional(v.boolean()),
  }),
})
export type MediaMade = v.InferOutput<typeof mediaMade>

/**
 * `refused`: this file will always fail. Any other failure may be temporary. The result is parsed, since a process that a
 * file has compromised may send anything.
 */
export const mediaAnswer = v.variant('is', [
  v.strictObject({
    is: v.literal('made'),
    media: mediaMade,
    /** Whether smaller renditions should be made. */
    ladder: v.exactOptional(v.boolean()),
  }),
  v.strictObject({ is: v.literal('refused'), failure: mediaFailure }),
])
export type MediaAnswer = v.InferOutput<typeof mediaAnswer>

/** Widths of the copies of every picture, pixels; the first is for avatars. */
export const widths = [FACE_WIDTH, 480, 960, 1600] as const

export class Refused extends Error {
  readonly failure: MediaFailure

  constructor(failure: MediaFailure, options?: ErrorOptions) {
    super(failure, options)
    this.failure = failure
  }
}
