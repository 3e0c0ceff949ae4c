// Files of a draft: added, replaced, removed and described, with their draft.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type Change, onChange } from '#device/database/changes.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { changeDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import { beginPreupload } from '#device/jobs/preupload.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { submitStored } from '#device/testing/user.ts'
import { addMedia, listMedia, removeMedia, replaceMedia, setAlt, setDuration } from './media.ts'

const AOI = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

let draft: Draft
let seen: Change[] = []
let stop = () => {}
beforeEach(async () => {
  draft = emptyDraft(AOI, NOW)
  await changeDraft(draft, (it) => ({ ...it, content: '朝の海' }), NOW)
  seen = []
  stop = onChange((change) => seen.push(change))
})
afterEach(async () => {
  stop()
  await closeDatabase()
  await deleteDB('todoke')
})

const row = (id: string) => transact(['media'], 'readonly', (tx) => tx.objectStore('media').get(id))
const filesOf = async () => {
  const { mediaIds, thumbnailId, frameId } = (await readDraft(draft.id, AOI)) ?? draft
  return { mediaIds, thumbnailId, frameId }
}

async function add(change: Partial<Media> = {}): Promise<string> {
  const media = pictureRow(draft, change)
  await addMedia(draft, media, NOW)
  return media.id
}

test('a file is added to its draft by its role: media in order, one thumbnail, one frame', async () => {
  const [first, second] = [await add(), await add()]
  const [old, thumbnail] = [await add({ role: 'thumbnail' }), await add({ role: 'thumbnail' })]
  const frame = await add({ role: 'frame' })
  expect(await filesOf()).toEqual({ mediaIds: [first, second], thumbnailId: thumbnail, frameId: frame })
  expect([await row(old), (await row(thumbnail))?.role]).toEqual([undefined, 'thumbnail'])
  expect(seen.map((it) => it.store)).toEqual(Array.from({ length: 5 }, () => 'drafts'))
})

test('a file that is removed leaves every field of its draft, and its row is deleted', async () => {
  const [first, second, thumbnail] = [await add(), await add(), await add({ role: 'thumbnail' })]
  seen = []
  await removeMedia(draft, first, NOW)
  await removeMedia(draft, thumbnail, NOW)
  expect(await filesOf()).toEqual({ mediaIds: [second], thumbnailId: null, frameId: null })
  expect([await row(first), await row(thumbnail)]).toEqual([undefined, undefined])
  expect(seen.map((it) => it.store)).toEqual(['drafts', 'drafts'])
})

test('a file whose row was deleted is replaced at its position; one with a row, or that no draft names, is not', async () => {
  const [first, second] = [await add(), await add()]
  const again = pictureRow(draft)
  expect(await replaceMedia(first, again, NOW)).toBeUndefined()
  await transact(['media'], 'readwrite', (tx) => tx.objectStore('media').delete(first))
  seen = []
  expect(await replaceMedia(newId(), again, NOW)).toBeUndefined()
  expect(seen).toEqual([])
  await replaceMedia(first, again, NOW)
  expect((await filesOf()).mediaIds).toEqual([again.id, second])
  expect(await row(again.id)).toMatchObject({ id: again.id })
  expect(seen).toEqual([{ store: 'drafts', id: draft.id }])
  const elsewhere = pictureRow(emptyDraft(AOI, NOW))
  expect(await replaceMedia(newId(), elsewhere, NOW)).toBeUndefined()
})

test('a thumbnail and a frame are replaced as media are', async () => {
  const [thumbnail, frame] = [await add({ role: 'thumbnail' }), await add({ role: 'frame' })]
  await transact(['media'], 'readwrite', async (tx) => {
    await tx.objectStore('media').delete(thumbnail)
    await tx.objectStore('media').delete(frame)
  })
  const [other, still] = [pictureRow(draft, { role: 'thumbnail' }), pictureRow(draft, { role: 'frame' })]
  await replaceMedia(thumbnail, other, NOW)
  await replaceMedia(frame, still, NOW)
  expect(await filesOf()).toEqual({ mediaIds: [], thumbnailId: other.id, frameId: still.id })
})

test('a description and a duration are stored in the row, and announced', async () => {
  const id = await add({ kind: 'video' })
  seen = []
  await setAlt(id, '海の夕焼け')
  await setDuration(id, 12)
  expect(await row(id)).toMatchObject({ alt: '海の夕焼け', duration: 12, kind: 'video' })
  expect(seen).toEqual([
    { store: 'media', id },
    { store: 'media', id },
  ])
})

test('no file is added to or removed from a submitted draft', async () => {
  const [first, second] = [await add(), await add()]
  await submitStored(draft.id, AOI, NOW)
  seen = []
  const late = pictureRow(draft)
  expect(await addMedia(draft, late, NOW)).toBeUndefined()
  expect(await removeMedia(draft, first, NOW)).toBeUndefined()
  expect(await row(late.id)).toBeUndefined()
  expect((await listMedia(draft.id)).map((it) => it.id).toSorted()).toEqual([first, second].toSorted())
  expect((await filesOf()).mediaIds).toEqual([first, second])
  expect(seen).toEqual([])
})

test('removing a file leaves the thumbnail and the frame, which are removed by their ids', async () => {
  const [first, thumbnail] = [await add(), await add({ role: 'thumbnail' })]
  const frame = await add({ role: 'frame' })
  await removeMedia(draft, first, NOW)
  expect(await filesOf()).toEqual({ mediaIds: [], thumbnailId: thumbnail, frameId: frame })
  await removeMedia(draft, frame, NOW)
  expect(await filesOf()).toEqual({ mediaIds: [], thumbnailId: thumbnail, frameId: null })
  await removeMedia(draft, thumbnail, NOW)
  expect(await filesOf()).toEqual({ mediaIds: [], thumbnailId: null, frameId: null })
})

test('removing a preuploaded file is emitted for the preupload too', async () => {
  const first = await add({ bytes: { is: 'stored', digest: '' } })
  await beginPreupload(draft.id, AOI, NOW)
  seen = []
  await removeMedia(draft, first, NOW)
  expect(seen).toEqual([
    { store: 'drafts', id: draft.id },
    { store: 'early', id: draft.id },
  ])
})

test('a description of a deleted file is not stored', async () => {
  const id = newId()
  await setAlt(id, '海の夕焼け')
  expect(await row(id)).toBeUndefined()
})
