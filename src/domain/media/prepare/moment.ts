// The moment of a video's thumbnail, and its length (specification sections 7 and 9).
import { THUMBNAIL_AT } from '#contract/limits.ts'

export interface VideoFrame {
  /** Whole seconds; null when the device cannot determine it. */
  duration: number | null
  /** A JPEG of the frame; null when the device cannot show this video. */
  picture: Blob | null
}

/** Longest side of the picture, px. */
export const LONGEST_FRAME = 1280

/** Where in a video of this length the picture is taken, seconds. */
export function momentIn(duration: number): number {
  return Math.min(THUMBNAIL_AT, duration / 2)
}

/** Seconds as they are sent: whole, and at least one for what plays at all; null for what is not a length. */
export function wholeSeconds(duration: number): number | null {
  if (!Number.isFinite(duration) || duration <= 0) return null
  return Math.max(1, Math.round(duration))
}
