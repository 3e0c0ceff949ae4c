// Prepares a picked file before it is stored: what it is, told by its bytes, and what of it may leave this device.
import { trueName, type Recognised } from './kind.ts'

/**
 * The file as it is stored and sent, under a true name and type; undefined when a picture could neither be
 * converted nor be freed of its metadata. Videos stay as they are: the server takes their metadata out.
 * @param keepSize photos keep the size they were taken in
 */
export async function prepare(file: File, seen: Recognised, keepSize: boolean): Promise<File | undefined> {
  if (seen.kind !== 'image') {
    return new File([file], trueName(file.name, seen.format), { type: seen.mime })
  }
  const { preparePicture } = await import('./picture.ts')
  const picture = await preparePicture(file, seen, keepSize)
  if (!picture) return undefined
  const { bytes, format } = picture
  return new File([bytes], trueName(file.name, format), { type: bytes === file ? seen.mime : bytes.type })
}
