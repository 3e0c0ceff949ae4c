// The course of a recording: a countdown, then each gesture for its time.
import { recordingKind } from './camera.ts'

/** The countdown, and the time of each gesture, ms. */
export const COUNT_IN_MS = 3000
export const GESTURE_MS = 2700
const BITS_PER_SECOND = 2_500_000

export type Moment =
  | { is: 'counting'; seconds: number }
  | { is: 'performing'; gesture: number; seconds: number }
  | { is: 'over' }

/**
 * The state at a moment.
 * @param elapsed ms since the countdown began
 * @param count number of requested gestures
 */
export function momentAt(elapsed: number, count: number): Moment {
  if (elapsed < COUNT_IN_MS) return { is: 'counting', seconds: Math.ceil((COUNT_IN_MS - elapsed) / 1000) }
  const performing = elapsed - COUNT_IN_MS
  const index = Math.floor(performing / GESTURE_MS)
  if (index >= count) return { is: 'over' }
  return { is: 'performing', gesture: index, seconds: Math.ceil((count * GESTURE_MS - performing) / 1000) }
}

/** Interval of progress calls, ms. */
const TICK_MS = 100

/**
 * Calls `onMoment` for every moment of a recording that begins now.
 * @returns stops it
 */
export function runCourse(count: number, onMoment: (moment: Moment) => void): () => void {
  const began = performance.now()
  const tick = () => {
    const moment = momentAt(performance.now() - began, count)
    if (moment.is === 'over') clearInterval(timer)
    onMoment(moment)
  }
  const timer = setInterval(tick, TICK_MS)
  tick()
  return () => clearInterval(timer)
}

export interface Recording {
  /** Ends the recording. @returns the file; undefined when nothing was recorded */
  end(): Promise<Blob | undefined>
}

/** Begins to record a stream. */
export function openRecording(stream: MediaStream): Recording {
  const kind = recordingKind()
  const recorder = new MediaRecorder(stream, {
    ...(kind ? { mimeType: kind } : {}),
    videoBitsPerSecond: BITS_PER_SECOND,
  })
  const pieces: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => data.size > 0 && pieces.push(data))
  const stopped = new Promise<void>((resolve) => {
    recorder.addEventListener('stop', () => resolve(), { once: true })
    recorder.addEventListener('error', () => resolve(), { once: true })
  })
  recorder.start(1000)
  return {
    async end() {
      if (recorder.state !== 'inactive') recorder.stop()
      await stopped
      const type = (recorder.mimeType || kind || 'video/webm').split(';')[0] ?? ''
      return pieces.length > 0 ? new Blob(pieces, { type }) : undefined
    },
  }
}
