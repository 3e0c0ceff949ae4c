// Prepares a picked file for storage: converts pictures and removes their metadata.
import { nameWithTrueExtension, type Recognised } from './kind.ts'

/** Whether a file of this format is converted before sending (specification section 4). */
export function isConverted(format: string): boolean {
  return ['heic', 'jpg', 'png', 'webp'].includes(format)
}

/**
 * The file as it is stored and sent; undefined for a picture that cannot be converted. Name and type follow the bytes.
 * Videos stay as they are: the server removes their metadata.
 * @param keepSize photos are sent in their original size
 * @param signal aborts a decoding that is no longer needed; the promise then rejects
 */
export async function prepare(
  file: File,
  recognised: Recognised,
  keepSize: boolean,
  signal?: AbortSignal,
): Promise<File | undefined> {
  if (recognised.kind !== 'image') {
    return new File([file], nameWithTrueExtension(file.name, recognised.format), { type: recognised.mime })
  }
  const { preparePicture } = await import('./picture.ts')
  const picture = await preparePicture(file, recognised, { keepSize, signal })
  if (!picture) return undefined
  const { bytes, format } = picture
  return new File([bytes], nameWithTrueExtension(file.name, format), {
    type: bytes === file ? recognised.mime : bytes.type,
  })
}
