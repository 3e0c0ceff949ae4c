// Copying a picked file into chunks: continuing, and every end of a copy.
import 'fake-indexeddb/auto'
import { createHash } from 'node:crypto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { compositeDigest } from '#contract/digest.ts'
import { newId } from '#contract/ids.ts'
import { closeDatabase } from '#device/database/database.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { changeDraft, emptyDraft } from '#device/drafts/drafts.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { CHUNK_BYTES, readChunk, readWhole, storeChunks } from './chunks.ts'
import { copyFile, isCopying } from './import-file.ts'
import { addMedia, readMedia } from './media.ts'
import { heldFile, releaseFile } from './page-held.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')

let held: string[] = []
let draft: Draft
beforeEach(async () => {
  held = []
  vi.stubGlobal('navigator', {
    locks: {
      async request(name: string, ...rest: unknown[]) {
        held.push(name)
        return (rest.at(-1) as () => Promise<unknown>)().finally(
          () => void held.splice(held.indexOf(name), 1),
        )
      },
      query: async () => ({ held: held.map((name) => ({ name })) }),
    },
  })
  draft = emptyDraft(newId(), NOW)
  await changeDraft(draft, (it) => ({ ...it, content: '朝の海' }), NOW)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await closeDatabase()
  await deleteDB('todoke')
  vi.unstubAllGlobals()
})

async function picked(size: number, change: Partial<Media> = {}): Promise<{ media: Media; file: File }> {
  const file = new File([new Uint8Array(size).fill(7)], 'a.jpg')
  const media = pictureRow(draft, { size, ...change })
  await addMedia(draft, media, NOW)
  return { media, file }
}

/** The SHA-256 of every chunk of such a file. */
function leavesOf(size: number): Uint8Array[] {
  const bytes = new Uint8Array(size).fill(7)
  const leaves: Uint8Array[] = []
  for (let at = 0; at < size; at += CHUNK_BYTES)
    leaves.push(
      createHash('sha256')
        .update(bytes.subarray(at, at + CHUNK_BYTES))
        .digest(),
    )
  return leaves
}

test.each([0, 3, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES + 5])(
  'a file of %i bytes is stored whole, with its digest',
  async (size) => {
    const { media, file } = await picked(size)
    const end = await copyFile(media, file)
    expect(end.is).toBe('stored')
    const row = await readMedia(media.id)
    expect(row?.bytes).toEqual({ is: 'stored', digest: await compositeDigest(leavesOf(size)) })
    expect((await readWhole(media))?.size).toBe(size)
  },
)

test('a copy continues after the chunks that are stored, which are not read again', async () => {
  const { media, file } = await picked(CHUNK_BYTES + 1)
  const sha256 = new Uint8Array(32)
  await storeChunks({ mediaId: media.id, index: 0, size: 5, sha256, bytes: new Blob(['first']) })
  const stopped = await readMedia(media.id)
  if (!stopped) throw new Error('no row')
  expect((await copyFile(stopped, file)).is).toBe('stored')
  expect(await (await readChunk(media.id, 0))?.text()).toBe('first')
  expect((await readChunk(media.id, 1))?.size).toBe(1)
})

test('a row that its draft no longer takes, and a removed row, end the copy without a chunk', async () => {
  const { media, file } = await picked(3)
  expect(await copyFile(media, file, true, async () => false)).toEqual({ is: 'removed' })
  const gone = pictureRow(draft)
  expect(await copyFile(gone, file)).toEqual({ is: 'removed' })
  for (const { id } of [media, gone]) expect(await readChunk(id, 0)).toBeUndefined()
})

test.each(['NotReadableError', 'NotFoundError'])('a file that fails with %s is unreadable', async (name) => {
  const { media, file } = await picked(3)
  vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValue(new DOMException('moved', name))
  expect(await copyFile(media, file)).toEqual({ is: 'unreadable' })
})

test('every other failure is thrown', async () => {
  const { media, file } = await picked(3)
  const failure = new DOMException('no', 'NotReadableErrorToo')
  const reading = vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValue(failure)
  await expect(copyFile(media, file)).rejects.toBe(failure)
  const bug = new TypeError('NotReadableError')
  reading.mockRejectedValue(bug)
  await expect(copyFile(media, file)).rejects.toBe(bug)
})

test('a media is being copied while its copy holds the lock, and no other one is', async () => {
  const { media, file } = await picked(3)
  expect(await isCopying(media.id)).toBe(false)
  const during: boolean[] = []
  await copyFile(media, file, true, async () => {
    during.push(await isCopying(media.id), await isCopying(newId()))
    return true
  })
  expect(during).toEqual([true, false])
  expect(await isCopying(media.id)).toBe(false)
})

test('a browser that lists no locks copies no media', async () => {
  vi.stubGlobal('navigator', { locks: { query: async () => ({}) } })
  expect(await isCopying(newId())).toBe(false)
})

/** The device has no room for rows of this store. */
function fill(store: 'chunks' | 'media'): void {
  const { put } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...row) {
    if (this.name === store) throw new DOMException('no room', 'QuotaExceededError')
    return put.apply(this, row)
  })
}

test.each([true, false])(
  'without room the page holds the file and its row has the digest (tried: %s)',
  async (room) => {
    const { media, file } = await picked(3)
    if (room) fill('chunks')
    const bytes = { is: 'picked', digest: await compositeDigest(leavesOf(3)) }
    expect(await copyFile(media, file, room)).toMatchObject({ is: 'picked', media: { id: media.id, bytes } })
    expect(await readMedia(media.id)).toMatchObject({ bytes })
    expect(heldFile(media.id)).toBe(file)
    expect(await readChunk(media.id, 0)).toBeUndefined()
    releaseFile(media.id)
  },
)

test.each(['thumbnail', 'frame'] as const)('a %s without room is not held', async (role) => {
  const { media, file } = await picked(3, { role })
  fill('chunks')
  expect(await copyFile(media, file)).toEqual({ is: 'full' })
  expect(heldFile(media.id)).toBeUndefined()
})

test('an empty file whose row was deleted is not stored', async () => {
  expect(await copyFile(pictureRow(draft), new Blob([]))).toEqual({ is: 'removed' })
})

test('a file without room whose row was deleted is not held', async () => {
  const { file } = await picked(3)
  const gone = pictureRow(draft)
  expect(await copyFile(gone, file, false)).toEqual({ is: 'removed' })
  expect(heldFile(gone.id)).toBeUndefined()
})

test('a device without room even for the row holds no file', async () => {
  const { media, file } = await picked(3)
  fill('media')
  expect(await copyFile(media, file, false)).toEqual({ is: 'full' })
  expect(heldFile(media.id)).toBeUndefined()
})

test('a file without room that cannot be read is unreadable, and every other failure is thrown', async () => {
  const { media, file } = await picked(3)
  const reading = vi.spyOn(Blob.prototype, 'arrayBuffer')
  vi.spyOn(Blob.prototype, 'stream').mockImplementation(() => {
    throw new Error('no byte streams')
  })
  reading.mockRejectedValue(new DOMException('no', 'SecurityError'))
  expect(await copyFile(media, file, false)).toEqual({ is: 'unreadable' })
  const bug = new TypeError('bug')
  reading.mockRejectedValue(bug)
  await expect(copyFile(media, file, false)).rejects.toBe(bug)
  expect(heldFile(media.id)).toBeUndefined()
})
