// Worker: decodes a picture by the browser, and draws it upright and scaled.
import { sentScale } from '#contract/kinds/long-pictures.ts'
import { asDisplayP3, drawPicture, turned } from './canvas.ts'
import type { PhotoRequest, PictureReply } from './worker-messages.ts'

addEventListener('message', ({ data }: MessageEvent<PhotoRequest>) => {
  void handle(data).then((reply) => postMessage(reply))
})

async function handle({
  file,
  longest,
  type,
  always,
  isDisplayP3 = false,
  orientation = 1,
}: PhotoRequest): Promise<PictureReply> {
  try {
    const decoded = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const upright = orientation === 1 ? decoded : await turned(decoded, orientation)
    const source = isDisplayP3 ? await asDisplayP3(upright) : upright
    try {
      const small = sentScale(source, longest) === 1
      if (small && !always) return { is: 'small' }
      return {
        is: 'drawn',
        picture: await drawPicture(source, longest, type, isDisplayP3 ? 'display-p3' : 'srgb'),
      }
    } finally {
      source.close()
    }
  } catch (error) {
    return { is: 'failed', why: String(error) }
  }
}
