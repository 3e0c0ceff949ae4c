// Examines a picked picture for what the server would refuse, before it is stored.
import type { PictureProblem } from '#contract/kinds/measure.ts'
import type { Recognised } from './kind.ts'
import { isConverted } from './prepare.ts'

/**
 * The problem of a picked picture; undefined for one without, and for videos.
 * @param keepSize it is sent in its original size
 */
export async function pictureProblem(
  file: Blob,
  { format, kind }: Recognised,
  keepSize: boolean,
): Promise<PictureProblem | undefined> {
  // A HEIC is decoded before it is sent.
  if (kind !== 'image' || format === 'heic') return undefined
  if (!(await isShown(file))) return 'broken'
  if (format === 'svg') return undefined
  const { limitProblem } = await import('./picture.ts')
  return limitProblem(file, format, isConverted(format) && !keepSize)
}

/** Whether this browser shows anything of a picture; its formats are those that every browser shows. */
async function isShown(file: Blob): Promise<boolean> {
  if (!('Image' in globalThis)) return true
  const url = URL.createObjectURL(file)
  try {
    return await new Promise<boolean>((resolve) => {
      const image = new Image()
      image.addEventListener('load', () => resolve(true))
      image.addEventListener('error', () => resolve(false))
      image.src = url
    })
  } finally {
    URL.revokeObjectURL(url)
  }
}
