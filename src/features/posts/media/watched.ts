// Where somebody left a video: kept on this device, for them alone, until they have seen it.
import * as v from 'valibot'
import { ownNote } from '#src/domain/drafts/own-notes.ts'

/** Shorter ones are begun anew, s. */
const WORTH_REMEMBERING = 30
/** This near its beginning or its end there is no place to come back to, s. */
const NEAR = 10
/** The place is kept this often, s. */
const EVERY = 5

type Seen = Pick<HTMLVideoElement, 'currentTime' | 'duration'>

/** The place of one video for one person; nobody's is kept. */
export function watched(ownerId: string | undefined, videoId: string) {
  const note = ownerId === undefined ? undefined : ownNote(ownerId, `watched.${videoId}`, v.number())
  let keptAt = 0
  function keep({ currentTime, duration }: Seen): void {
    keptAt = currentTime
    if (!Number.isFinite(duration) || duration < WORTH_REMEMBERING) return
    if (currentTime < NEAR || currentTime > duration - NEAR) note?.drop()
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
