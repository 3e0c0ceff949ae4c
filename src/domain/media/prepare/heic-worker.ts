// Worker: HEIC to JPEG off the page, so that a long decoding neither stops it nor outlives its time.
import { heicToJpeg } from './libheif.ts'
import type { HeicRequest, PictureReply } from './worker-messages.ts'

addEventListener('message', ({ data }: MessageEvent<HeicRequest>) => {
  void work(data).then((answer) => postMessage(answer))
})

/** A worker that has nothing to draw on leaves the work to the page. */
async function work(order: HeicRequest): Promise<PictureReply> {
  if (!('OffscreenCanvas' in globalThis)) return { is: 'unstarted', why: 'no canvas in workers' }
  return heicToJpeg(order)
}
