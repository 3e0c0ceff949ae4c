// Worker: decodes a HEIC to JPEG, so that the page is not blocked.
import { heicToJpeg } from './libheif.ts'
import type { HeicRequest, PictureReply } from './worker-messages.ts'

addEventListener('message', ({ data }: MessageEvent<HeicRequest>) => {
  void handle(data).then((reply) => postMessage(reply))
})

/** A worker without a canvas lets the page do the work. */
async function handle(request: HeicRequest): Promise<PictureReply> {
  if (!('OffscreenCanvas' in globalThis)) return { is: 'unstarted', why: 'no canvas in workers' }
  return heicToJpeg(request)
}
