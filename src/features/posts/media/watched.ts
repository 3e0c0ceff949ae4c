// Stores the position in a video on this device, for one person.
import * as v from 'valibot'
import { ownNote } from '#src/domain/drafts/own-notes.ts'

/** Shorter videos start at the beginning, s. */
const WORTH_REMEMBERING = 30
/** This near its beginning or its end there is no place to come back to, s. */
const NEAR = 10
/** Interval of storing the position, s. */
const EVERY = 5

type Seen = Pick<HTMLVideoElement, 'currentTime' | 'duration'>

/** The position of one video for one person; not stored for visitors. */
export function createWatchedNote(ownerId: string | undefined, videoId: string) {
  const note = ownerId === undefined ? undefined : ownNote(ownerId, `watched.${videoId}`, v.number())
  let keptAt = 0
  function keep({ currentTime, duration }: Seen): void {
    keptAt = currentTime
    if (!Number.isFinite(duration) || duration < WORTH_REMEMBERING) return
    if (currentTime < NEAR || currentTime > duration - NEAR) note?.remove()
    else note?.save(currentTime)
  }
  return {
    /** Seconds from the beginning; undefined for the beginning. */
    place: () => note?.read(),
    /** It is playing. */
    passes(seen: Seen): void {
      if (Math.abs(seen.currentTime - keptAt) >= EVERY) keep(seen)
    },
    /** It was paused, or the page is left. */
    keep,
  }
}
