// Takes a picture or a recording into the check: told by its bytes, freed of its metadata, kept on the device.
import { type IdentityPart, MAX_DOCUMENT_BYTES, MAX_LIVE_BYTES } from '#contract/identity.ts'
import { keepPart } from '#device/identity.ts'
import { megabytes } from '#src/lib/format.ts'
import { recognise } from '#src/lib/prepare/kind.ts'
import { prepare } from '#src/lib/prepare/prepare.ts'
import { identityText } from '#src/lib/text-identity.ts'

const pictures = new Set(['jpg', 'jpeg', 'png', 'webp', 'heic'])

/** Keeps a photo of a document. @returns a sentence when it was not taken */
export async function keepPhoto(
  ownerId: string,
  part: 'front' | 'back',
  file: File,
): Promise<string | undefined> {
  const seen = await recognise(file)
  if (!seen || !pictures.has(seen.format)) return identityText.notPicture
  const photo = await prepare(file, seen, false).catch(() => undefined)
  if (!photo) return identityText.notPicture
  if (photo.size > MAX_DOCUMENT_BYTES) return identityText.tooLarge(megabytes(MAX_DOCUMENT_BYTES))
  return keep(ownerId, part, photo)
}

/** Keeps a recording. @returns a sentence when it was not taken */
export async function keepLive(ownerId: string, recording: Blob): Promise<string | undefined> {
  if (recording.size > MAX_LIVE_BYTES) return identityText.tooLarge(megabytes(MAX_LIVE_BYTES))
  return keep(ownerId, 'live', recording)
}

async function keep(ownerId: string, part: IdentityPart, file: Blob): Promise<string | undefined> {
  const end = await keepPart(ownerId, part, file, Date.now())
  switch (end.is) {
    case 'stored':
      return undefined
    case 'full':
    case 'picked':
      return identityText.noRoom
    case 'removed':
    case 'unreadable':
      return identityText.notKept
    default:
      return end satisfies never
  }
}
