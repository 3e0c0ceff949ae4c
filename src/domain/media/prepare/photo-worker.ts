// Worker: decodes a picture, or all frames of one, and draws it upright.
import { sentScale } from '#contract/kinds/long-pictures.ts'
import { asDisplayP3, drawPicture, turned } from './canvas.ts'
import { movingWebp } from './moving-avif.ts'
import type { MovingRequest, PhotoRequest, PictureReply } from './worker-messages.ts'

addEventListener('message', ({ data }: MessageEvent<PhotoRequest | MovingRequest>) => {
  void ('moving' in data ? handleMoving(data) : handle(data)).then((reply) => postMessage(reply))
})

async function handleMoving({ moving }: MovingRequest): Promise<PictureReply> {
  try {
    const picture = await movingWebp(moving)
    return picture ? { is: 'drawn', picture } : { is: 'failed', why: 'no frames can be drawn here' }
  } catch (error) {
    return { is: 'failed', why: String(error) }
  }
}

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
