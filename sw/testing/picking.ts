// Test helpers of the queue's reads: a picked file, and fake Web Locks.
import { newId } from '#contract/ids.ts'
import { emptyDraft } from '#device/drafts/drafts.ts'
import { addMedia } from '#device/files/media.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { pictureRow } from '#device/testing/picture-row.ts'

const AOI = newId()
export const NOW = Date.parse('2026-03-05T03:30:00Z')

/** A fake of Web Locks that grants every request at once, and lists the held ones. */
export function fakeLocks() {
  const held = new Map<symbol, string>()
  return {
    request: async (name: string, ...rest: unknown[]) => {
      const key = Symbol(name)
      held.set(key, name)
      try {
        return await (rest.at(-1) as () => unknown)()
      } finally {
        held.delete(key)
      }
    },
    query: async () => ({ held: [...held.values()].map((name) => ({ name })) }),
  }
}

/** Adds a media row to a new draft; the bytes of the file are not copied yet. */
export async function pick(bytes: Uint8Array<ArrayBuffer>, role: Media['role'] = 'media') {
  const draft: Draft = emptyDraft(AOI, NOW)
  const file = new File([bytes], 'a.mp4')
  const media = pictureRow(draft, {
    role,
    kind: role === 'media' ? 'video' : 'image',
    name: file.name,
    mime: 'video/mp4',
    size: file.size,
  })
  await addMedia(draft, media, NOW)
  return { draft, media, file }
}
