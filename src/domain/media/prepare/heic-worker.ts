// Worker: HEIC to JPEG off the page, so that a long decoding neither stops it nor outlives its time.
import { heicToJpeg } from './libheif.ts'
import type { HeicOrder, PictureAnswer } from './orders.ts'

addEventListener('message', ({ data }: MessageEvent<HeicOrder>) => {
  void work(data).then((answer) => postMessage(answer))
})

/** A worker that has nothing to draw on leaves the work to the page. */
async function work(order: HeicOrder): Promise<PictureAnswer> {
  if (!('OffscreenCanvas' in globalThis)) return { is: 'unstarted', why: 'no canvas in workers' }
  return heicToJpeg(order)
}
