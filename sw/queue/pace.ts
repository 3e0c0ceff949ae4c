// Sizes the pieces of an upload: 5 MiB, less on a slow or broken network.
import { MiB, TUS_CHUNK } from '#contract/limits.ts'

export interface Pace {
  /** Bytes of the next piece. */
  piece(): number
  /** The server accepted a piece after `ms`. */
  went(bytes: number, ms: number): void
  /** The server did not accept a piece. */
  broke(): void
}

const SMALLEST = MiB / 4
/** Target duration of a piece, so that 15 s without an answer is a stall. */
const PIECE_MS = 6000

/** Creates the pace of a runner, for all of its uploads. */
export function createPace(): Pace {
  let size = TUS_CHUNK
  return {
    piece: () => size,
    went: (bytes, ms) => {
      const fits = (bytes / Math.max(1, ms)) * PIECE_MS
      size = clamp(Math.min(size * 2, fits))
    },
    broke: () => {
      size = clamp(size / 4)
    },
  }
}

function clamp(bytes: number): number {
  return Math.max(SMALLEST, Math.min(TUS_CHUNK, Math.floor(bytes / SMALLEST) * SMALLEST))
}
