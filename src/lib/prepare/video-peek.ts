// Reads a video's length and frame by mediabunny, where the browser's player cannot: mkv, and lengths it does not tell.
/// <reference lib="esnext.disposable" />
import { ALL_FORMATS, BlobSource, CanvasSink, Input, type InputVideoTrack } from 'mediabunny'
import { LONGEST_FRAME, momentIn, wholeSeconds, type VideoFrame } from './video-frame.ts'

export async function peek(file: Blob): Promise<VideoFrame> {
  const input = new Input({ formats: ALL_FORMATS, source: new BlobSource(file) })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) return { duration: null, picture: null }
    const first = await track.getFirstTimestamp()
    // Transport streams begin at any time.
    const length = (await input.computeDuration()) - Math.max(0, first)
    return { duration: wholeSeconds(length), picture: await pictureOf(track, first + momentIn(length)) }
  } finally {
    input.dispose()
  }
}

async function pictureOf(track: InputVideoTrack, at: number): Promise<Blob | null> {
  if (!(await track.canDecode())) return null
  const sink = new CanvasSink(track)
  const canvas = (await sink.getCanvas(at))?.canvas
  if (!canvas) return null
  const scale = Math.min(1, LONGEST_FRAME / Math.max(canvas.width, canvas.height))
  const small = document.createElement('canvas')
  small.width = Math.max(1, Math.round(canvas.width * scale))
  small.height = Math.max(1, Math.round(canvas.height * scale))
  small.getContext('2d')?.drawImage(canvas, 0, 0, small.width, small.height)
  return new Promise((resolve) => small.toBlob(resolve, 'image/jpeg', 0.85))
}
