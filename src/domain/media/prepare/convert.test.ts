// Conversions run one at a time; a removed photo does not block the next.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { emitChange } from '#device/database/changes.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { emptyDraft } from '#device/drafts/drafts.ts'
import { addMedia, readMedia } from '#device/files/media.ts'
import { holdFile } from '#device/files/page-held.ts'
import type { Media } from '#device/database/schema.ts'
import { convertPicked } from './convert.ts'

const AOI = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

beforeEach(() => {
  vi.stubGlobal('navigator', {
    locks: {
      request: (_name: string, ...rest: unknown[]) => (rest.at(-1) as () => unknown)(),
      query: async () => ({ held: [] }),
    },
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await closeDatabase()
  await deleteDB('todoke')
  vi.unstubAllGlobals()
})

/** A picked photo that is held by this page and not converted yet. */
async function pick(file: File, format: string, createdAt: number): Promise<Media> {
  const draft = emptyDraft(AOI, NOW)
  const media: Media = {
    id: newId(),
    draftId: draft.id,
    ownerId: AOI,
    role: 'media',
    kind: 'image',
    name: file.name,
    mime: file.type,
    size: file.size,
    duration: null,
    alt: '',
    bytes: { is: 'picked', digest: '' },
    conversion: { is: 'pending', format, keepSize: false, tries: 0 },
    createdAt,
  }
  await addMedia(draft, media, NOW)
  await holdFile(media.id, file)
  return media
}

/** Makes reads of files of this size endless. @returns resolves when the first one begins */
function blockReads(size: number): Promise<void> {
  const { arrayBuffer } = Blob.prototype
  return new Promise<void>((onBegin) => {
    vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(function (this: Blob) {
      if (this.size !== size) return arrayBuffer.call(this)
      onBegin()
      return new Promise(() => {})
    })
  })
}

test('a photo whose bytes cannot be read and whose row was deleted does not block the next photo', async () => {
  const reading = blockReads(3)
  const first = await pick(new File([new Uint8Array(3)], 'first.jpg', { type: 'image/jpeg' }), 'jpg', NOW)
  const second = await pick(new File(['GIF89a'], 'second.gif', { type: 'image/gif' }), 'gif', NOW + 1)
  const converted = convertPicked(AOI)
  await reading
  expect((await readMedia(second.id))?.conversion.is).toBe('pending')
  await transact(['media'], 'readwrite', (tx) => tx.objectStore('media').delete(first.id))
  emitChange({ store: 'media', id: first.id })
  await converted
  expect((await readMedia(second.id))?.conversion.is).toBe('ready')
})
