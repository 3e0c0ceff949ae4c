// Worker: reads a video's length, frame and completeness by mediabunny.
/// <reference lib="esnext.disposable" />
import { ALL_FORMATS, BlobSource, CanvasSink, Input, type InputVideoTrack } from 'mediabunny'
import { drawPicture } from '#src/domain/media/prepare/canvas.ts'
import { factsOf, type FilmFacts } from './film-facts.ts'
import { unknownFilm } from './unknown-film.ts'
import { LONGEST_FRAME, frameTime, shownPart, wholeSeconds, type VideoFrame } from './moment.ts'
import type { VideoRequest } from './video-client.ts'

addEventListener('message', ({ data }: MessageEvent<VideoRequest>) => {
  void replyTo(data).then((reply) => postMessage(reply))
})

function replyTo({ is, file }: VideoRequest): Promise<VideoFrame | FilmFacts> {
  if (is === 'film') return factsOf(file).catch(() => unknownFilm)
  return read(file).catch(() => ({ duration: null, picture: null }))
}

async function read(file: Blob): Promise<VideoFrame> {
  const input = new Input({ formats: ALL_FORMATS, source: new BlobSource(file) })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) return { duration: null, picture: null }
    const { from, length } = shownPart({
      first: await track.getFirstTimestamp(),
      end: await input.computeDuration(),
      indexed: await track.getDurationFromMetadata(),
    })
    const picture = await pictureOf(track, from + frameTime(length)).catch(() => null)
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
