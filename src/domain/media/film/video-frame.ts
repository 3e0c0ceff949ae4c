// Takes a video's length and its frame at 2 s (specification section 9).
// First by the browser's player, then by mediabunny; otherwise the server takes the frame.
import type { Cut } from './film-facts.ts'
import { LONGEST_FRAME, frameTime, type VideoFrame, wholeSeconds } from './moment.ts'
import { filmOf, readFrame, TIMEOUT_MS } from './video-client.ts'

/** Longest wait for a painted frame after the seek, ms: hidden pages paint none. */
const PAINT_MS = 1000

/** `duration` is that of what is there, also of a film that is cut off. */
export interface FilmFrame extends VideoFrame {
  cut: Cut | null
}

const nothing: VideoFrame = { duration: null, picture: null }

/**
 * Never rejects: a video that this device cannot decode has no picture, nor has one whose margin is hidden, since the player
 * shows it and the server does not.
 */
export async function frameOf(file: Blob): Promise<FilmFrame> {
  const { cut, isCropped } = await filmOf(file)
  const frame = await frameWithin(file, cut?.seconds ?? Infinity)
  return { duration: cut ? cut.seconds : frame.duration, picture: isCropped ? null : frame.picture, cut }
}

/** @param end of what is there, seconds: the player knows the length of the index alone */
async function frameWithin(file: Blob, end: number): Promise<VideoFrame> {
  const played = await within(TIMEOUT_MS, play(file, end))
  if (played.picture && played.duration !== null) return played
  const read = await readFrame(file).catch(() => nothing)
  // A player without the length has shown the beginning.
  if (played.duration === null) return { duration: read.duration, picture: read.picture ?? played.picture }
  return { duration: played.duration, picture: read.picture }
}

async function within(ms: number, work: Promise<VideoFrame>): Promise<VideoFrame> {
  const timeout = new Promise<VideoFrame>((resolve) => setTimeout(() => resolve(nothing), ms))
  return Promise.race([work.catch(() => nothing), timeout])
}

async function play(file: Blob, end: number): Promise<VideoFrame> {
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  // Only what the picture needs is read; a large file is not played into memory.
  video.preload = 'metadata'
  // After the timeout the player is released.
  const release = setTimeout(() => video.removeAttribute('src'), TIMEOUT_MS)
  try {
    return await takeFrame(video, url, end)
  } finally {
    clearTimeout(release)
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}

async function takeFrame(video: HTMLVideoElement, url: string, end: number): Promise<VideoFrame> {
  const loaded = onceEvent(video, 'loadeddata')
  video.src = url
  await loaded
  const duration = wholeSeconds(video.duration)
  // Chromium reports "loaded" with 0×0 for codecs that it cannot decode.
  if (video.videoWidth === 0) return { duration, picture: null }
  const sought = onceEvent(video, 'seeked')
  const at = frameTime(Number.isFinite(video.duration) ? Math.min(end, video.duration) : 0)
  const painted = framePainted(video, at)
  video.currentTime = at
  await sought
  const isPainted = await Promise.race([painted, wait(PAINT_MS)])
  return { duration, picture: isPainted ? await draw(video) : null }
}

function onceEvent(video: HTMLVideoElement, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(new Error('this video cannot be shown')), { once: true })
  })
}

const wait = (ms: number) => new Promise<false>((resolve) => setTimeout(() => resolve(false), ms))

/**
 * Resolves when the frame at this time, seconds, is painted. `seeked` may come before: a picture taken then is black.
 * The first frame may still be painted during the seek.
 */
function framePainted(video: HTMLVideoElement, at: number): Promise<true> {
  return new Promise((resolve) => {
    const next = () =>
      video.requestVideoFrameCallback((_, { mediaTime }) => {
        if (!video.seeking || Math.abs(mediaTime - at) < at / 2) resolve(true)
        else next()
      })
    next()
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
