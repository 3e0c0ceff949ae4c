// Worker: draws what the browser itself can read, turned as it was taken, in the size it is sent.
import { asDisplayP3, drawn } from './canvas.ts'
import type { PhotoRequest, PictureReply } from './worker-messages.ts'

addEventListener('message', ({ data }: MessageEvent<PhotoRequest>) => {
  void work(data).then((answer) => postMessage(answer))
})

async function work({
  file,
  longest,
  type,
  always,
  isDisplayP3 = false,
}: PhotoRequest): Promise<PictureReply> {
  try {
    const read = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const source = isDisplayP3 ? await asDisplayP3(read) : read
    try {
      const small = Math.max(source.width, source.height) <= (longest ?? Infinity)
      if (small && !always) return { is: 'small' }
      return { is: 'drawn', picture: await drawn(source, longest, type, isDisplayP3 ? 'display-p3' : 'srgb') }
    } finally {
      source.close()
    }
  } catch (error) {
    return { is: 'failed', why: String(error) }
  }
}
