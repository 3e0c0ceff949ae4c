// What the media child is asked and what it answers.
import type { MediaFailure } from '#contract/media.ts'
import { FACE_WIDTH } from '#contract/paths.ts'

export interface MediaTask {
  readonly kind: 'image' | 'video'
  readonly mime: string
  readonly input: string
  /** An empty folder that gets the variants. */
  readonly output: string
  /** Picture its author chose for a video. */
  readonly thumbnail: string | undefined
}

/** Smaller renditions of a video that stands as HLS already. */
export interface LadderTask {
  readonly kind: 'ladder'
  /** The MP4 that is played. */
  readonly input: string
  /** Its main playlist. */
  readonly main: string
  /** An empty folder that gets the new files, the new main playlist among them. */
  readonly output: string
}

/** Heights made, in the order of the playlist; none where nothing smaller came of it. */
export interface LadderMade {
  readonly is: 'ladder'
  readonly steps: readonly number[]
}

export interface MediaMade {
  readonly width: number | null
  readonly height: number | null
  /** Whole seconds. */
  readonly duration: number | null
  readonly animated: boolean
  readonly made: {
    readonly widths: readonly number[]
    readonly poster: boolean
    readonly blurred: boolean
    /** ThumbHash, base64; absent where there is no picture. */
    readonly hash?: string
    /** Whether `hls/` stands beside the MP4. */
    readonly hls?: boolean
  }
}

/** `refused`: this file will never work. Anything else that goes wrong may work another time. */
export type MediaAnswer =
  | {
      readonly is: 'made'
      readonly media: MediaMade
      /** Smaller renditions can be made here, and are worth it. */
      readonly ladder?: boolean
    }
  | { readonly is: 'refused'; readonly failure: MediaFailure }

/** Widths made of every picture, pixels; the first is for faces. */
export const widths = [FACE_WIDTH, 480, 960, 1600] as const

export class Refused extends Error {
  readonly failure: MediaFailure

  constructor(failure: MediaFailure, options?: ErrorOptions) {
    super(failure, options)
    this.failure = failure
  }
}
