// Examines a picked picture for what the server would refuse, before it is stored.
import type { OverLimit } from '#contract/kinds/measure.ts'
import type { Recognised } from './kind.ts'
import { isConverted } from './prepare.ts'

/** Why a picture cannot be sent; picking it again would change nothing. */
export type PictureProblem = OverLimit

/**
 * The problem of a picked picture; undefined for one without, and for videos.
 * @param keepSize it is sent in its original size
 */
export async function pictureProblem(
  file: Blob,
  { format, kind }: Recognised,
  keepSize: boolean,
): Promise<PictureProblem | undefined> {
  if (kind !== 'image' || format === 'heic' || format === 'svg') return undefined
  const { measure, overLimit } = await import('#contract/kinds/measure.ts')
  const measured = measure(new Uint8Array(await file.arrayBuffer()), format)
  // A photo is made smaller before it is sent.
  const isScaled = measured?.frames === 1 && isConverted(format) && !keepSize
  return measured && !isScaled ? overLimit(measured) : undefined
}
