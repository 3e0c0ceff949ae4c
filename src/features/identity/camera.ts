// The camera as the browser gives it: opened with a reason when it is not, and what it can record.
import type { CameraProblem } from '#src/domain/identity/text.ts'

export type Opened = { is: 'open'; stream: MediaStream } | { is: 'problem'; problem: CameraProblem }

/** Kinds of recordings, the one that plays everywhere first. */
const kinds = [
  'video/mp4;codecs=avc1.42E01E,mp4a.40.2',
  'video/mp4',
  'video/webm;codecs=vp9,opus',
  'video/webm;codecs=vp8,opus',
  'video/webm',
] as const

/** The first kind this browser records; undefined where it records nothing. */
export function recordingKind(): string | undefined {
  if (typeof MediaRecorder === 'undefined') return undefined
  return kinds.find((it) => MediaRecorder.isTypeSupported(it))
}

const video: MediaTrackConstraints = {
  facingMode: 'user',
  width: { ideal: 1280 },
  height: { ideal: 720 },
}

/** Opens the camera towards the person; without a microphone it still shows the acts. */
export async function openCamera(): Promise<Opened> {
  // The page may be open without TLS, where browsers have no camera at all.
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (!devices?.getUserMedia || !recordingKind()) return { is: 'problem', problem: 'unsupported' }
  try {
    return { is: 'open', stream: await devices.getUserMedia({ video, audio: true }) }
  } catch (error) {
    if (problemOf(error) !== 'none') return { is: 'problem', problem: problemOf(error) }
  }
  try {
    return { is: 'open', stream: await devices.getUserMedia({ video }) }
  } catch (error) {
    return { is: 'problem', problem: problemOf(error) }
  }
}

/** What an error of getUserMedia means for the person. */
export function problemOf(error: unknown): CameraProblem {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'denied'
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'none'
    case 'NotReadableError':
    case 'AbortError':
      return 'busy'
    default:
      return 'failed'
  }
}

/** Lets go of the camera: its light goes out. */
export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
