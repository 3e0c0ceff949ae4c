// The media row of a picture that was picked into a draft: for tests.
import { newId } from '#contract/ids.ts'
import type { Draft, Media } from '#device/database/schema.ts'

/** A picture whose copy has not begun. @param change what is different; its size is 3 bytes */
export function pictureRow(
  draft: Pick<Draft, 'id' | 'ownerId' | 'createdAt'>,
  change: Partial<Media> = {},
): Media {
  return {
    id: newId(),
    draftId: draft.id,
    ownerId: draft.ownerId,
    role: 'media',
    kind: 'image',
    name: 'a.jpg',
    mime: 'image/jpeg',
    size: 3,
    duration: null,
    alt: '',
    bytes: { is: 'copying', stored: 0 },
    conversion: { is: 'ready' },
    createdAt: draft.createdAt,
    ...change,
  }
}
