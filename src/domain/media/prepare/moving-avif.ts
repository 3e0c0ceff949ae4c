// Draws the frames of a moving AVIF by the browser, as an animated WebP.
import { overLimit } from '#contract/kinds/measure.ts'
import { animatedWebp, type WebpFrame } from './animated-webp.ts'

const QUALITY = 0.85
/** A frame of no declared length is shown for this, ms. */
const DELAY = 100

/**
 * The frames up to the first that is broken; the browser turns them and converts their colours.
 * @returns undefined where this browser reads no frames, writes no WebP, or finds fewer than two frames
 */
export async function movingWebp(file: Blob): Promise<Blob | undefined> {
  if (!('ImageDecoder' in globalThis)) return undefined
  const decoder = new ImageDecoder({ type: 'image/avif', data: await file.arrayBuffer() })
  try {
    await decoder.tracks.ready
    const track = decoder.tracks.selectedTrack
    if (!track?.animated) return undefined
    const drawn = await drawFrames(decoder, track.frameCount)
    if (!drawn || drawn.frames.length < 2) return undefined
    const loop = Number.isFinite(track.repetitionCount) ? track.repetitionCount + 1 : 0
    return new Blob(animatedWebp(drawn.frames, { ...drawn, loop }), { type: 'image/webp' })
  } finally {
    decoder.close()
  }
}

interface Drawn {
  readonly frames: readonly WebpFrame[]
  readonly width: number
  readonly height: number
}

/** Undefined beyond the limits, and where this browser writes no WebP. */
async function drawFrames(decoder: ImageDecoder, count: number): Promise<Drawn | undefined> {
  const first = await frameAt(decoder, 0)
  if (!first) return undefined
  const { displayWidth: width, displayHeight: height } = first
  const context = new OffscreenCanvas(width, height).getContext('2d')
  const frames: WebpFrame[] = []
  for (let frame: VideoFrame | undefined = first; frame; frame = await frameAt(decoder, frames.length)) {
    const delay = Math.max(1, Math.round((frame.duration ?? DELAY * 1000) / 1000))
    context?.clearRect(0, 0, width, height)
    context?.drawImage(frame, 0, 0, width, height)
    frame.close()
    if (!context || overLimit({ width, height, frames: count })) return undefined
    const webp = await context.canvas.convertToBlob({ type: 'image/webp', quality: QUALITY })
    if (webp.type !== 'image/webp') return undefined
    frames.push({ webp: new Uint8Array(await webp.arrayBuffer()), delay })
    if (frames.length === count) break
  }
  return { frames, width, height }
}

async function frameAt(decoder: ImageDecoder, frameIndex: number): Promise<VideoFrame | undefined> {
  return decoder.decode({ frameIndex }).then(
    ({ image }) => image,
    () => undefined,
  )
}
