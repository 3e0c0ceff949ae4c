// Opens the camera, or returns the reason for a failure.
import type { CameraProblem } from '#src/domain/identity/text.ts'

export type Opened = { is: 'open'; stream: MediaStream } | { is: 'problem'; problem: CameraProblem }

/** Media types of recordings, the most compatible first. */
const kinds = [
  'video/mp4;codecs=avc1.42E01E,mp4a.40.2',
  'video/mp4',
  'video/webm;codecs=vp9,opus',
  'video/webm;codecs=vp8,opus',
  'video/webm',
] as const

/** The first type that this browser records; undefined for none. */
export function recordingKind(): string | undefined {
  if (typeof MediaRecorder === 'undefined') return undefined
  return kinds.find((it) => MediaRecorder.isTypeSupported(it))
}

const video: MediaTrackConstraints = {
  facingMode: 'user',
  width: { ideal: 1280 },
  height: { ideal: 720 },
}

/** Opens the front camera, without sound if there is no microphone. */
export async function openCamera(): Promise<Opened> {
  // Without TLS browsers have no camera.
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

/** The problem for an error of getUserMedia. */
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

/** Releases the camera. */
export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
