// The row of a picked file whose bytes are about to be copied.
import { newId } from '#contract/ids.ts'
import type { Draft, Media } from '#device/schema.ts'

export function newRow(draft: Draft, file: File, kind: Media['kind'], role: Media['role']): Media {
  return {
    id: newId(),
    draftId: draft.id,
    ownerId: draft.ownerId,
    role,
    kind,
    name: file.name,
    mime: file.type || 'application/octet-stream',
    size: file.size,
    duration: null,
    alt: '',
    bytes: { is: 'copying', stored: 0 },
    createdAt: Date.now(),
  }
}
