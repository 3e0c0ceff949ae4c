// Prepares a picked file before it is stored: detects its kind, converts it and removes metadata.
import { nameWithTrueExtension, type Recognised } from './kind.ts'

/** Whether a file of this format becomes another one before it is sent (specification section 4). */
export function isConverted(format: string): boolean {
  return ['heic', 'jpg', 'png', 'webp'].includes(format)
}

/**
 * The file as it is stored and sent, under a true name and type; undefined when a picture could neither be
 * converted nor be freed of its metadata. Videos stay as they are: the server takes their metadata out.
 * @param keepSize photos keep the size they were taken in
 * @param signal stops a decoding that is no longer wanted; the promise then rejects
 */
export async function prepare(
  file: File,
  seen: Recognised,
  keepSize: boolean,
  signal?: AbortSignal,
): Promise<File | undefined> {
  if (seen.kind !== 'image') {
    return new File([file], nameWithTrueExtension(file.name, seen.format), { type: seen.mime })
  }
  const { preparePicture } = await import('./picture.ts')
  const picture = await preparePicture(file, seen, { keepSize, signal })
  if (!picture) return undefined
  const { bytes, format } = picture
  return new File([bytes], nameWithTrueExtension(file.name, format), {
    type: bytes === file ? seen.mime : bytes.type,
  })
}
