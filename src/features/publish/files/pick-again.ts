// Replaces a lost file by the same file, picked again.
import { readDraft } from '#device/drafts/drafts.ts'
import { readMedia } from '#device/files/media.ts'
import { holdAgain } from '#device/files/page-held.ts'
import { recognise } from '#src/domain/media/prepare/kind.ts'
import { prepare } from '#src/domain/media/prepare/prepare.ts'

/** Holds a picked file in this page if it is the media's original. @returns whether it is */
export async function pickAgain(mediaId: string, picked: File): Promise<boolean> {
  if (await holdAgain(mediaId, picked)) return true
  const media = await readMedia(mediaId)
  if (media?.kind !== 'image') return false
  const draft = await readDraft(media.draftId, media.ownerId)
  const recognised = await recognise(picked)
  if (recognised?.kind !== 'image') return false
  // A message has no draft: its photos are sent smaller.
  const ready = await prepare(picked, recognised, draft?.keepSize ?? false)
  return ready !== undefined && holdAgain(mediaId, ready.file)
}
