// Picked photos: stored whole and all at once, or not at all.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import type { Change } from '#device/database/changes.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import type { Draft } from '#device/database/schema.ts'
import { changeDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { submitStored } from '#device/testing/user.ts'
import { modulesStoring, navigatorOf } from '#device/testing/byte-form.ts'
import type { ByteForm } from './byte-form.ts'
import { CHUNK_BYTES, readChunk, readWhole } from './chunks.ts'
import { listMedia } from './media.ts'
import { isUnhashed, type PickedPhoto, readPhoto, unhashed } from './photos.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const pending = { is: 'pending', format: 'jpg', keepSize: false, tries: 0 } as const

function loaded(form: ByteForm) {
  vi.stubGlobal('navigator', navigatorOf(form))
  vi.resetModules()
  return modulesStoring(form)
}

let draft: Draft
let device: Awaited<ReturnType<typeof modulesStoring>>
beforeEach(async () => {
  device = await loaded('blob')
  draft = emptyDraft(newId(), NOW)
  await changeDraft(draft, (it) => ({ ...it, content: '朝の海' }), NOW)
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await device.closeDatabase()
  await closeDatabase()
  await deleteDB('todoke')
})

function photo(...parts: string[]): PickedPhoto {
  const file = new File(parts, 'a.jpg', { type: 'image/jpeg' })
  return { file, media: pictureRow(draft, { size: file.size, bytes: unhashed, conversion: pending }) }
}

const texts = async (): Promise<Record<string, string | undefined>> => {
  const rows = await listMedia(draft.id)
  const entries = rows.map(async (row) => [row.id, await (await readWhole(row))?.text()] as const)
  return Object.fromEntries(await Promise.all(entries))
}

test.each(['blob', 'copy', 'buffer'] as const)(
  'photos are whole and in their order after one strict transaction, stored as %s',
  async (form) => {
    device = await loaded(form)
    const [first, second] = [photo('one'), photo('x'.repeat(CHUNK_BYTES), 'two')]
    const changes: Change[] = []
    const stop = device.onChange((change) => changes.push(change))
    const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
    const added = await device.addPhotos(draft, [first, second], NOW)
    stop()
    expect(begun.mock.calls.map(([, mode, options]) => [mode, options])).toEqual([
      ['readwrite', { durability: 'strict' }],
    ])
    const ids = [first.media.id, second.media.id]
    expect([added?.mediaIds, (await readDraft(draft.id, draft.ownerId))?.mediaIds]).toEqual([ids, ids])
    expect(await texts()).toEqual({
      [first.media.id]: 'one',
      [second.media.id]: `${'x'.repeat(CHUNK_BYTES)}two`,
    })
    expect((await listMedia(draft.id)).map((row) => [row.bytes, isUnhashed(row)])).toEqual([
      [unhashed, true],
      [unhashed, true],
    ])
    expect(changes).toEqual([{ store: 'drafts', id: draft.id }])
  },
)

test('where slices are stored as they are, no byte of a photo is read', async () => {
  const reading = [vi.spyOn(Blob.prototype, 'arrayBuffer'), vi.spyOn(Blob.prototype, 'stream')]
  await device.addPhotos(draft, [photo('one')], NOW)
  for (const it of reading) expect(it).not.toHaveBeenCalled()
})

test('when one photo does not fit, none is in the draft or on the device', async () => {
  const photos = [photo('one'), photo('two')]
  const { put } = IDBObjectStore.prototype
  const full = new DOMException('no room', 'QuotaExceededError')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...row) {
    if (this.name === 'media' && (row[0] as { id: string }).id === photos[1]?.media.id) throw full
    return put.apply(this, row)
  })
  await expect(device.addPhotos(draft, photos, NOW)).rejects.toThrow(full)
  expect((await readDraft(draft.id, draft.ownerId))?.mediaIds).toEqual([])
  expect(await texts()).toEqual({})
  expect(await readChunk(defined(photos[0]).media.id, 0)).toBeUndefined()
})

test('a draft that was submitted takes no photos', async () => {
  await submitStored(draft.id, draft.ownerId, NOW)
  const { media, file } = photo('one')
  expect(await device.addPhotos(draft, [{ media, file }], NOW)).toBeUndefined()
  expect(await transact(['chunks'], 'readonly', (tx) => tx.objectStore('chunks').count())).toBe(0)
})

test('at once are stored as many bytes as memory allows where a photo is read into it', async () => {
  expect(await device.mostPhotoBytes()).toBe(256 * 1024 * 1024)
  for (const form of ['copy', 'buffer'] as const) {
    await device.closeDatabase()
    device = await loaded(form)
    expect(await device.mostPhotoBytes()).toBe(20 * 1024 * 1024)
  }
})

test('a row has unhashed bytes only while they are stored without a digest', () => {
  expect(isUnhashed({ bytes: { is: 'stored', digest: 'abc' } })).toBe(false)
  expect(isUnhashed({ bytes: { is: 'picked', digest: '' } })).toBe(false)
  expect(isUnhashed({ bytes: { is: 'copying', stored: 0 } })).toBe(false)
})

test('a stored photo is read back; one without its bytes is unreadable, one that was removed is not there', async () => {
  const picked = photo('one')
  await device.addPhotos(draft, [picked], NOW)
  expect(await (await readPhoto(picked.media))?.text()).toBe('one')
  expect(await readPhoto(photo('two').media)).toBeUndefined()
  const isGone = { name: 'NotReadableError' }
  await expect(readPhoto({ ...picked.media, size: 4 })).rejects.toMatchObject(isGone)
  vi.spyOn(Blob.prototype, 'arrayBuffer').mockResolvedValue(new ArrayBuffer(0))
  await expect(readPhoto(picked.media)).rejects.toMatchObject(isGone)
  await transact(['chunks'], 'readwrite', (tx) => tx.objectStore('chunks').clear())
  await expect(readPhoto(picked.media)).rejects.toMatchObject(isGone)
})

test('a file that has other bytes than its row says stores no photo', async () => {
  const { media } = photo('one')
  const photos = [photo('two'), { media, file: new File([], 'a.jpg') }]
  await expect(device.addPhotos(draft, photos, NOW)).rejects.toMatchObject({ name: 'NotReadableError' })
  expect(await texts()).toEqual({})
})
