// Worker: takes a video's length and frame by mediabunny, where the browser's player fails.
/// <reference lib="esnext.disposable" />
import { ALL_FORMATS, BlobSource, CanvasSink, Input, type InputVideoTrack } from 'mediabunny'
import { drawPicture } from './canvas.ts'
import { LONGEST_FRAME, frameTime, wholeSeconds, type VideoFrame } from './moment.ts'

addEventListener('message', ({ data }: MessageEvent<Blob>) => {
  void read(data)
    .catch((): VideoFrame => ({ duration: null, picture: null }))
    .then((frame) => postMessage(frame))
})

async function read(file: Blob): Promise<VideoFrame> {
  const input = new Input({ formats: ALL_FORMATS, source: new BlobSource(file) })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) return { duration: null, picture: null }
    const first = await track.getFirstTimestamp()
    // Transport streams begin at any timestamp.
    const length = (await input.computeDuration()) - Math.max(0, first)
    const picture = await pictureOf(track, first + frameTime(length)).catch(() => null)
    return { duration: wholeSeconds(length), picture }
  } finally {
    input.dispose()
  }
}

/** Null where this browser cannot decode the video, or has no canvas in workers. */
async function pictureOf(track: InputVideoTrack, at: number): Promise<Blob | null> {
  if (!('OffscreenCanvas' in globalThis) || !(await track.canDecode())) return null
  const canvas = (await new CanvasSink(track).getCanvas(at))?.canvas
  if (!canvas) return null
  const frame = await createImageBitmap(canvas)
  try {
    return await drawPicture(frame, LONGEST_FRAME, 'image/jpeg')
  } finally {
    frame.close()
  }
}
