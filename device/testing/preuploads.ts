// Drafts with files and their preuploads, for tests.
import { changeDraft, emptyDraft } from '#device/drafts/drafts.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { addMedia } from '#device/files/media.ts'
import type { JobFile } from '#device/jobs/file-row.ts'
import type { FileJob, Protocol } from '#device/jobs/job-rows.ts'
import { pictureRow } from './picture-row.ts'

export const NOW = Date.parse('2026-03-05T03:30:00Z')

/** Stores a draft of this person with so many files of 10 bytes. */
export async function draftWith(
  ownerId: string,
  count: number,
  protocol: Protocol = 'tus',
): Promise<{ draft: Draft; files: Media[] }> {
  const draft = emptyDraft(ownerId, NOW, protocol)
  await changeDraft(draft, (it) => ({ ...it, content: '朝の海' }), NOW)
  const files: Media[] = []
  for (let i = 0; i < count; i++) files.push(await addPicture(draft))
  return { draft, files }
}

/** Stores a further file of a draft. */
export async function addPicture(draft: Draft): Promise<Media> {
  const media = pictureRow(draft, { size: 10, bytes: { is: 'stored', digest: '' } })
  await addMedia(draft, media, NOW)
  return media
}

/** A change of a job: the server has this file whole. */
export const withSentFile = (mediaId: string) => (job: FileJob) => {
  const files = job.files.map((it): JobFile =>
    it.id === mediaId ? { ...it, state: { is: 'sent', url: null } } : it,
  )
  return { ...job, files }
}
