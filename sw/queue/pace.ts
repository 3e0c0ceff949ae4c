// How many bytes go into one PATCH: 5 MiB, less where the network is slow or has just been cut.
import { MiB, TUS_CHUNK } from '#contract/limits.ts'

export interface Pace {
  /** Bytes of the next piece. */
  piece(): number
  /** A piece went through in `ms`. */
  went(bytes: number, ms: number): void
  /** A piece did not go through. */
  broke(): void
}

const SMALLEST = MiB / 4
/** A piece should take no longer than this, so that silence of 15 s means a stall. */
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
