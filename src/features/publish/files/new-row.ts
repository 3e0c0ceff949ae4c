// The row of a picked file whose bytes are about to be copied.
import { newId } from '#contract/ids.ts'
import type { Draft, Media } from '#device/database/schema.ts'

export function mediaRowOf(draft: Draft, file: File, as: Pick<Media, 'kind' | 'role' | 'conversion'>): Media {
  return {
    id: newId(),
    draftId: draft.id,
    ownerId: draft.ownerId,
    name: file.name,
    mime: file.type || 'application/octet-stream',
    size: file.size,
    duration: null,
    alt: '',
    bytes: { is: 'copying', stored: 0 },
    ...as,
    createdAt: Date.now(),
  }
}
