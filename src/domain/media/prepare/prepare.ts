// Prepares a picked file for storage: converts pictures and removes their metadata.
import type { Conversion } from '#device/files/conversion-row.ts'
import { nameWithTrueExtension, type Recognised } from './kind.ts'

/** Whether a file of this format is converted before sending (specification section 4). */
export function isConverted(format: string): boolean {
  return ['heic', 'avif', 'jpg', 'png', 'webp'].includes(format)
}

/** A file as it is stored and sent. */
export interface Prepared {
  readonly file: File
  /** Whether it is the first frame of a moving picture whose other frames this device could not convert. */
  readonly isStilled: boolean
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
): Promise<Prepared | undefined> {
  if (recognised.kind !== 'image') {
    const name = nameWithTrueExtension(file.name, recognised.format)
    return { file: new File([file], name, { type: recognised.mime }), isStilled: false }
  }
  const { preparePicture } = await import('./picture.ts')
  const picture = await preparePicture(file, recognised, { keepSize, signal })
  if (!picture) return undefined
  const { bytes, format, isStilled = false } = picture
  const type = bytes === file ? recognised.mime : bytes.type
  return { file: new File([bytes], nameWithTrueExtension(file.name, format), { type }), isStilled }
}

/** A picked file as the device stores it at first. */
export interface StoredPick {
  readonly file: File
  readonly conversion: Conversion
}

/**
 * What is stored of a picked file: a photo as it was picked, to be converted later; every other file as it is sent.
 * `undefined` for a picture that cannot be converted.
 */
export async function storedPick(
  file: File,
  recognised: Recognised,
  keepSize: boolean,
): Promise<StoredPick | undefined> {
  const { format, mime } = recognised
  if (isConverted(format))
    return {
      file: new File([file], nameWithTrueExtension(file.name, format), { type: mime }),
      conversion: { is: 'pending', format, keepSize, tries: 0 },
    }
  const ready = await prepare(file, recognised, keepSize)
  return ready && { file: ready.file, conversion: { is: 'ready' } }
}
