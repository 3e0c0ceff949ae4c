// New ids for a draft's files: every reference changes, and no data is lost.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { type Change, onChange } from '#device/database/changes.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import type { Draft } from '#device/database/schema.ts'
import { changeDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { submitStored } from '#device/testing/user.ts'
import { sealMedia, storeChunks } from './chunks.ts'
import { addMedia } from './media.ts'
import { renewMedia } from './renew-media.ts'

const AOI = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

/** A draft with a stored photo, one that is still being copied, and a stored thumbnail. */
async function draftWithFiles(): Promise<{
  draft: Draft
  ids: Record<'photo' | 'copying' | 'thumbnail', string>
}> {
  const draft = emptyDraft(AOI, NOW)
  await changeDraft(draft, (it) => ({ ...it, content: '朝の海' }), NOW)
  const ids = { photo: newId(), copying: newId(), thumbnail: newId() }
  await addMedia(draft, pictureRow(draft, { id: ids.photo }), NOW)
  await addMedia(draft, pictureRow(draft, { id: ids.copying }), NOW)
  await addMedia(draft, pictureRow(draft, { id: ids.thumbnail, role: 'thumbnail' }), NOW)
  for (const mediaId of [ids.photo, ids.thumbnail]) {
    for (const index of [0, 1])
      await storeChunks({
        mediaId,
        index,
        size: 3,
        sha256: new Uint8Array(32).fill(index),
        bytes: new ArrayBuffer(3),
      })
    await sealMedia(mediaId, 'digest')
  }
  return { draft, ids }
}

const rows = () =>
  transact(['media', 'chunks', 'early'], 'readonly', async (tx) => ({
    media: (await tx.objectStore('media').getAll()).map((it) => [it.id, it.role, it.bytes.is]),
    chunks: (await tx.objectStore('chunks').getAllKeys()).map(([id, index]) => `${id} ${index}`),
  }))

test('stored files receive new ids, with their bytes; the id of one that is being copied stays', async () => {
  const { draft, ids } = await draftWithFiles()
  const seen: Change[] = []
  const stop = onChange((change) => seen.push(change))
  await renewMedia(draft.id)
  stop()
  const after = await readDraft(draft.id, AOI)
  const [photo = '', copying] = after?.mediaIds ?? []
  const thumbnail = defined(after?.thumbnailId)
  expect(copying).toBe(ids.copying)
  expect([photo, thumbnail].filter((it) => Object.values(ids).includes(it))).toEqual([])
  const { media, chunks } = await rows()
  expect(new Set(media.map(String))).toEqual(
    new Set([`${photo},media,stored`, `${ids.copying},media,copying`, `${thumbnail},thumbnail,stored`]),
  )
  expect(chunks.toSorted()).toEqual(
    [`${photo} 0`, `${photo} 1`, `${thumbnail} 0`, `${thumbnail} 1`].toSorted(),
  )
  expect(after?.frameId).toBeNull()
  expect(seen).toEqual([{ store: 'drafts', id: draft.id }])
})

test('the files of a submitted post, and of a missing draft, stay as they are', async () => {
  const { draft } = await draftWithFiles()
  await submitStored(draft.id, AOI, NOW)
  await transact(['jobs'], 'readwrite', async (tx) => {
    if (!(await tx.objectStore('jobs').getKey(draft.id)))
      await tx.objectStore('jobs').put({ id: draft.id } as never)
  })
  const before = await rows()
  const seen: Change[] = []
  const stop = onChange((change) => seen.push(change))
  await renewMedia(draft.id)
  await renewMedia(newId())
  stop()
  expect(await rows()).toEqual(before)
  expect(seen).toEqual([])
})

test('a draft without stored files is not emitted', async () => {
  const draft = emptyDraft(AOI, NOW)
  await addMedia(draft, pictureRow(draft), NOW)
  const before = await rows()
  const seen: Change[] = []
  const stop = onChange((change) => seen.push(change))
  await renewMedia(draft.id)
  stop()
  expect(await rows()).toEqual(before)
  expect(seen).toEqual([])
})
