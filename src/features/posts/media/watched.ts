// Stores the position in a video on this device, for one person.
import * as v from 'valibot'
import { ownNote } from '#src/domain/drafts/own-notes.ts'

/** Shorter videos start at the beginning, s. */
const MIN_DURATION = 30
/** Distance from the beginning and the end in which no position is stored, s. */
const NEAR = 10
/** Interval of storing the position, s. */
const EVERY = 5

type Playback = Pick<HTMLVideoElement, 'currentTime' | 'duration'>

/** The position of one video for one person; not stored for visitors. */
export function createWatchedNote(ownerId: string | undefined, videoId: string) {
  const note = ownerId === undefined ? undefined : ownNote(ownerId, `watched.${videoId}`, v.number())
  let savedAt = 0
  function save({ currentTime, duration }: Playback): void {
    savedAt = currentTime
    if (!Number.isFinite(duration) || duration < MIN_DURATION) return
    if (currentTime < NEAR || currentTime > duration - NEAR) note?.remove()
    else note?.save(currentTime)
  }
  return {
    /** Seconds from the beginning; undefined for the beginning. */
    position: () => note?.read(),
    /** Called during playback. */
    onProgress(seen: Playback): void {
      if (Math.abs(seen.currentTime - savedAt) >= EVERY) save(seen)
    },
    /** Stores the position, when the video is paused or the page is left. */
    save,
  }
}
