// The time of a video's frame, and the video's length (specification sections 7, 9).
import { THUMBNAIL_AT } from '#contract/limits.ts'

export interface VideoFrame {
  /** Whole seconds; null when the device cannot determine it. */
  duration: number | null
  /** A JPEG of the frame; null when the device cannot show this video. */
  picture: Blob | null
}

/** Longest side of a frame's picture, px. */
export const LONGEST_FRAME = 1280

/** Time of the frame in a video of this length, seconds. */
export function frameTime(duration: number): number {
  return Math.min(THUMBNAIL_AT, duration / 2)
}

/**
 * The part of a video's packets that is shown, seconds. Transport streams begin at any timestamp; what is before 0, an edit
 * list hides, and what it hides at the end is only in the length of the index.
 * @param indexed null without an index
 */
export function shownPart(packets: { first: number; end: number; indexed: number | null }): {
  from: number
  length: number
} {
  const from = Math.max(0, packets.first)
  return { from, length: Math.min(packets.end - from, packets.indexed || Infinity) }
}

/** Whether a film ends so long before the end in its index that its author should know: by a tenth, and by two seconds. */
export function isMuchShorter(seconds: number, indexed: number): boolean {
  return indexed - seconds > Math.max(2, indexed / 10)
}

/** A length in whole seconds, at least one; null for an invalid length. */
export function wholeSeconds(duration: number): number | null {
  if (!Number.isFinite(duration) || duration <= 0) return null
  return Math.max(1, Math.round(duration))
}
