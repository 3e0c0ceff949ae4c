// Takes a video's length and its picture at 2 s (specification section 9), through the browser's own player.
import { THUMBNAIL_AT } from '#contract/limits.ts'

export interface VideoFrame {
  /** Whole seconds; null when the browser cannot tell. */
  duration: number | null
  /** A JPEG of the frame; null when the browser cannot show this video. */
  picture: Blob | null
}

/** A video that does not show itself within this is not going to, ms. */
const PATIENCE_MS = 8000
/** Longest side of the picture, px. */
const LONGEST = 1280

/** Never fails: a video this browser cannot play has no picture. */
export async function frameOf(file: Blob): Promise<VideoFrame> {
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.preload = 'auto'
  try {
    return await Promise.race([look(video, url), patience()])
  } catch {
    return { duration: null, picture: null }
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}

function patience(): Promise<VideoFrame> {
  return new Promise((resolve) => setTimeout(() => resolve({ duration: null, picture: null }), PATIENCE_MS))
}

async function look(video: HTMLVideoElement, url: string): Promise<VideoFrame> {
  const loaded = heard(video, 'loadeddata')
  video.src = url
  await loaded
  const duration = Number.isFinite(video.duration) ? Math.round(video.duration) : null
  // Chromium says "loaded" with 0×0 for codecs it cannot show.
  if (video.videoWidth === 0) return { duration, picture: null }
  const sought = heard(video, 'seeked')
  video.currentTime = Math.min(THUMBNAIL_AT, (video.duration || 0) / 2)
  await sought
  return { duration, picture: await draw(video) }
}

function heard(video: HTMLVideoElement, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(new Error('this video cannot be shown')), { once: true })
  })
}

function draw(video: HTMLVideoElement): Promise<Blob | null> {
  const scale = Math.min(1, LONGEST / Math.max(video.videoWidth, video.videoHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(video.videoWidth * scale))
  canvas.height = Math.max(1, Math.round(video.videoHeight * scale))
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
}
