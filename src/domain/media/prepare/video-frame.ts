// Takes a video's length and its picture at 2 s (specification section 9): by the browser's own player, then by
// mediabunny; where neither can, the server takes the picture.
import { LONGEST_FRAME, momentIn, type VideoFrame, wholeSeconds } from './moment.ts'
import { WorkerClient } from './worker-client.ts'

/** A video that does not show itself within this is not going to, ms. */
const PATIENCE_MS = 8000
/** A hidden page paints no frames: after this time the frame at the sought position is drawn, ms. */
const PAINT_MS = 1000

const nothing: VideoFrame = { duration: null, picture: null }

/** Off the page and ended when its time is over: a reader may never come to the end of a broken file. */
const readers = new WorkerClient<Blob, VideoFrame>(
  () => new Worker(new URL('./video-worker.ts', import.meta.url), { type: 'module' }),
  PATIENCE_MS,
)

/** Never fails: a video this device cannot decode has no picture. */
export async function frameOf(file: Blob): Promise<VideoFrame> {
  const played = await within(PATIENCE_MS, play(file))
  if (played.picture && played.duration !== null) return played
  const read = await readers.request(file).catch(() => nothing)
  // A player that does not know the length has shown the beginning.
  if (played.duration === null) return { duration: read.duration, picture: read.picture ?? played.picture }
  return { duration: played.duration, picture: read.picture }
}

async function within(ms: number, work: Promise<VideoFrame>): Promise<VideoFrame> {
  const patience = new Promise<VideoFrame>((resolve) => setTimeout(() => resolve(nothing), ms))
  return Promise.race([work.catch(() => nothing), patience])
}

async function play(file: Blob): Promise<VideoFrame> {
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  // Only what the picture needs is read; a large file is not played into memory.
  video.preload = 'metadata'
  // Whatever takes too long is let go, so that no player stays behind.
  const release = setTimeout(() => video.removeAttribute('src'), PATIENCE_MS)
  try {
    return await look(video, url)
  } finally {
    clearTimeout(release)
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}

async function look(video: HTMLVideoElement, url: string): Promise<VideoFrame> {
  const loaded = heard(video, 'loadeddata')
  video.src = url
  await loaded
  const duration = wholeSeconds(video.duration)
  // Chromium says "loaded" with 0×0 for codecs it cannot show.
  if (video.videoWidth === 0) return { duration, picture: null }
  const sought = heard(video, 'seeked')
  const shown = painted(video)
  video.currentTime = momentIn(Number.isFinite(video.duration) ? video.duration : 0)
  await sought
  await shown
  return { duration, picture: await draw(video) }
}

function heard(video: HTMLVideoElement, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(new Error('this video cannot be shown')), { once: true })
  })
}

/** `seeked` may come before the frame can be drawn. */
function painted(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAINT_MS)
    video.requestVideoFrameCallback(() => resolve())
  })
}

function draw(video: HTMLVideoElement): Promise<Blob | null> {
  const scale = Math.min(1, LONGEST_FRAME / Math.max(video.videoWidth, video.videoHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(video.videoWidth * scale))
  canvas.height = Math.max(1, Math.round(video.videoHeight * scale))
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
}
