// Chunks of a media: stored and counted one by one, read whole, erased together.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type Change, onChange } from '#device/database/changes.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import type { Media } from '#device/database/schema.ts'
import { changeDraft, emptyDraft } from '#device/drafts/drafts.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { addMedia } from './media.ts'
import {
  CHUNK_BYTES,
  chunksOf,
  copiedPart,
  eraseMedia,
  sealPicked,
  readChunk,
  readLeaves,
  readWhole,
  sealMedia,
  storeChunks,
} from './chunks.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const DIGEST = 'a'.repeat(64)

let media: Media
let changes: Change[] = []
let stop = () => {}
beforeEach(async () => {
  const draft = emptyDraft(newId(), NOW)
  await changeDraft(draft, (it) => ({ ...it, content: '朝の海' }), NOW)
  media = pictureRow(draft, { size: CHUNK_BYTES + 3, bytes: { is: 'copying', stored: 0 } })
  await addMedia(draft, media, NOW)
  changes = []
  stop = onChange((change) => changes.push(change))
})
afterEach(async () => {
  stop()
  await closeDatabase()
  await deleteDB('todoke')
})

const row = () => transact(['media'], 'readonly', (tx) => tx.objectStore('media').get(media.id))
const store = (index: number, text: string, mediaId = media.id) =>
  storeChunks({
    mediaId,
    index,
    size: text.length,
    sha256: new Uint8Array(32).fill(index),
    bytes: new TextEncoder().encode(text).buffer,
  })

test('a file has as many chunks as begin in it', () => {
  expect([0, 1, CHUNK_BYTES, CHUNK_BYTES + 1].map(chunksOf)).toEqual([0, 1, 1, 2])
})

test('a file is completely copied when its row is sealed, not when its last chunk is stored', () => {
  const part = (stored: number) => copiedPart({ bytes: { is: 'copying', stored }, size: 3 * CHUNK_BYTES })
  expect([0, 1, 3].map(part)).toEqual([0, 0.25, 0.75])
  expect(copiedPart({ bytes: { is: 'copying', stored: 0 }, size: 0 })).toBe(0)
  expect(copiedPart({ bytes: { is: 'stored', digest: DIGEST }, size: 3 })).toBe(1)
})

test('a stored chunk is counted and announced, and read as a Blob in whatever form it was stored', async () => {
  expect(await store(0, 'abc')).toBe(true)
  expect((await row())?.bytes).toEqual({ is: 'copying', stored: 1 })
  expect(changes).toEqual([{ store: 'chunks', id: media.id, index: 0 }])
  const chunk = await readChunk(media.id, 0)
  expect([chunk instanceof Blob, await chunk?.text()]).toEqual([true, 'abc'])
  expect(await readChunk(media.id, 1)).toBeUndefined()
  expect(await readChunk(newId(), 0)).toBeUndefined()
})

test('a whole file is its chunks in order, of its type; one that lacks a chunk is not read', async () => {
  await store(1, 'def')
  expect(await readWhole(media)).toBeUndefined()
  await store(0, 'abc')
  const whole = await readWhole(media)
  expect([await whole?.text(), whole?.type]).toEqual(['abcdef', media.mime])
  expect((await readLeaves(media.id)).map((it) => it[0])).toEqual([0, 1])
  expect(await readLeaves(newId())).toEqual([])
})

test('a chunk that this version cannot read has no digest; the others are read', async () => {
  await store(1, 'def')
  await transact(['chunks'], 'readwrite', (tx) =>
    tx.objectStore('chunks').put({ mediaId: media.id, index: 0 } as never),
  )
  expect((await readLeaves(media.id)).map((it) => it[0])).toEqual([1])
})

test('a complete file has its digest; it is announced', async () => {
  await store(0, 'abc')
  changes = []
  expect((await sealMedia(media.id, DIGEST))?.bytes).toEqual({ is: 'stored', digest: DIGEST })
  expect((await row())?.bytes).toEqual({ is: 'stored', digest: DIGEST })
  expect(changes).toEqual([{ store: 'media', id: media.id }])
})

test('a file whose bytes stay in the picked file has no stored chunk; it is announced', async () => {
  await store(0, 'abc')
  changes = []
  expect((await sealPicked(media.id, DIGEST))?.bytes).toEqual({ is: 'picked', digest: DIGEST })
  expect((await row())?.bytes).toEqual({ is: 'picked', digest: DIGEST })
  expect(await readChunk(media.id, 0)).toBeUndefined()
  expect(changes).toEqual([{ store: 'media', id: media.id }])
})

test('a deleted media is neither stored, completed nor announced', async () => {
  const gone = newId()
  expect(await store(0, 'abc', gone)).toBe(false)
  expect([await sealMedia(gone, DIGEST), await sealPicked(gone, DIGEST)]).toEqual([undefined, undefined])
  expect(await readChunk(gone, 0)).toBeUndefined()
  expect(changes).toEqual([])
})

test('erasing a media deletes its own chunks and no others', async () => {
  const draft = emptyDraft(media.ownerId, NOW)
  await changeDraft(draft, (it) => ({ ...it, content: '別の' }), NOW)
  const other = pictureRow(draft, { size: 3, bytes: { is: 'copying', stored: 0 } })
  await addMedia(draft, other, NOW)
  await store(0, 'abc')
  await store(0, 'xyz', other.id)
  await transact(['media', 'chunks'], 'readwrite', (tx) => eraseMedia(tx, [media.id]))
  expect([await row(), await readChunk(media.id, 0)]).toEqual([undefined, undefined])
  expect(await (await readChunk(other.id, 0))?.text()).toBe('xyz')
})
