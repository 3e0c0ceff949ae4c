// A file whose page was closed is picked again: the same bytes, or a picture that becomes the same bytes again.
import { readDraft } from '#device/drafts/drafts.ts'
import { readMedia } from '#device/files/media.ts'
import { holdAgain } from '#device/files/page-held.ts'
import { recognise } from '#src/domain/media/prepare/kind.ts'
import { prepare } from '#src/domain/media/prepare/prepare.ts'

/** Whether `picked` is the file this media was made of; then this page keeps it from here on. */
export async function pickAgain(mediaId: string, picked: File): Promise<boolean> {
  if (await holdAgain(mediaId, picked)) return true
  const media = await readMedia(mediaId)
  if (media?.kind !== 'image') return false
  const draft = await readDraft(media.draftId, media.ownerId)
  const seen = await recognise(picked)
  if (!draft || seen?.kind !== 'image') return false
  const ready = await prepare(picked, seen, draft.keepSize)
  return ready !== undefined && holdAgain(mediaId, ready)
}
