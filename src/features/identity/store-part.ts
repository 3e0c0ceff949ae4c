// Adds a picture or a recording to the identity check.
import { type IdentityPart, MAX_DOCUMENT_BYTES, MAX_LIVE_BYTES } from '#contract/identity/identity.ts'
import { removePart, storePart, readIdentity } from '#device/jobs/identity.ts'
import { readMedia } from '#device/files/media.ts'
import type { Conversion } from '#device/files/conversion-row.ts'
import { megabytes } from '#src/lib/format.ts'
import { guardLeaving } from '#src/lib/leave-guard.ts'
import { convertPicked } from '#src/domain/media/prepare/convert.ts'
import { recognise } from '#src/domain/media/prepare/kind.ts'
import { identityText } from '#src/domain/identity/text.ts'

const pictures = new Set(['jpg', 'jpeg', 'png', 'webp', 'heic'])

/** Stores a photo of a document. @returns a sentence when it was refused */
export async function storePhoto(
  ownerId: string,
  part: 'front' | 'back',
  file: File,
): Promise<string | undefined> {
  // Guarded from the moment it was picked: recognising it reads the file too.
  const refusal = await guardLeaving(storePicked(ownerId, part, file))
  if (refusal) return refusal
  await convertPicked(ownerId)
  return judge(ownerId, part)
}

/** Stores a photo as it was taken: a photo that is being converted is not lost with the page. */
async function storePicked(ownerId: string, part: 'front' | 'back', file: File): Promise<string | undefined> {
  const seen = await recognise(file)
  if (!seen || !pictures.has(seen.format)) return identityText.notPicture
  const conversion = { is: 'pending', format: seen.format, keepSize: false, tries: 0 } as const
  return store(ownerId, part, file.slice(0, file.size, seen.mime), conversion)
}

/**
 * A photo that could not be converted, or is too large, is not stored.
 * @returns a sentence then
 */
async function judge(ownerId: string, part: 'front' | 'back'): Promise<string | undefined> {
  const mediaId = (await readIdentity(ownerId))?.[part]
  const media = mediaId ? await readMedia(mediaId) : undefined
  if (!media || media.conversion.is === 'pending') return undefined
  const isTooLarge = media.size > MAX_DOCUMENT_BYTES
  if (media.conversion.is === 'ready' && !isTooLarge) return undefined
  await removePart(ownerId, part, media.id, Date.now())
  return isTooLarge ? identityText.tooLarge(megabytes(MAX_DOCUMENT_BYTES)) : identityText.notPicture
}

/** Stores a recording. @returns a sentence when it was refused */
export async function storeRecording(ownerId: string, recording: Blob): Promise<string | undefined> {
  if (recording.size > MAX_LIVE_BYTES) return identityText.tooLarge(megabytes(MAX_LIVE_BYTES))
  return guardLeaving(store(ownerId, 'live', recording))
}

async function store(
  ownerId: string,
  part: IdentityPart,
  file: Blob,
  conversion?: Conversion,
): Promise<string | undefined> {
  const end = await storePart(ownerId, part, file, Date.now(), conversion)
  switch (end.is) {
    case 'stored':
      return undefined
    case 'full':
    case 'picked':
      return identityText.noRoom
    case 'removed':
    case 'unreadable':
      return identityText.notStored
    default:
      return end satisfies never
  }
}
