// Conversions: at any time the picked file or the converted one is whole.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { compositeDigest } from '#contract/digest.ts'
import { newId } from '#contract/ids.ts'
import { readLeaves, readWhole } from './chunks.ts'
import {
  claimConversion,
  convertAgain,
  failConversion,
  hasUnconverted,
  sendAsPicked,
  readPicked,
  storeConverted,
} from './conversions.ts'
import { type Change, onChange } from '#device/database/changes.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { digestOf, heldFile, holdFile, releaseFile } from './page-held.ts'
import { copyFile } from './import-file.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { changeDraft, discardDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import { beginPreupload, readPreupload } from '#device/jobs/preupload.ts'
import { submitStored } from '#device/testing/user.ts'
import { addMedia, readMedia, removeMedia } from './media.ts'
import { unhashed } from './photos.ts'
import { purgePerson } from '#device/session/purge.ts'
import type { Draft, Media } from '#device/database/schema.ts'

const AOI = newId()
const REN = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')
const bytes = (...values: number[]) => new Uint8Array(values)
const jpeg = new File([bytes(1, 2)], 'a.jpg', { type: 'image/jpeg' })

beforeEach(() => {
  vi.stubGlobal('navigator', {
    locks: {
      request: async (_name: string, ...rest: unknown[]) => (rest.at(-1) as () => unknown)(),
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

/** A HEIC in a draft of its own, stored as it was picked. */
async function pickHeic(change: Partial<Media> = {}): Promise<{ draft: Draft; media: Media }> {
  const draft = emptyDraft(AOI, NOW)
  const media: Media = {
    id: newId(),
    draftId: draft.id,
    ownerId: AOI,
    role: 'media',
    kind: 'image',
    name: 'a.heic',
    mime: 'image/heic',
    size: 3,
    duration: null,
    alt: '',
    bytes: { is: 'copying', stored: 0 },
    conversion: { is: 'pending', format: 'heic', keepSize: false, tries: 0 },
    createdAt: NOW,
    ...change,
  }
  await addMedia(draft, media, NOW)
  await copyFile(media, new Blob([bytes(7, 8, 9)]))
  return { draft, media }
}

async function stored(mediaId: string): Promise<number[] | undefined> {
  const media = await readMedia(mediaId)
  const whole = media && (await readWhole(media))
  return whole && [...new Uint8Array(await whole.arrayBuffer())]
}

const chunkCount = () => transact(['chunks'], 'readonly', (tx) => tx.objectStore('chunks').count())

test('the picked file is on the device before its conversion, and is claimed by its owner alone', async () => {
  const { media } = await pickHeic()
  expect(await stored(media.id)).toEqual([7, 8, 9])
  expect(await hasUnconverted(AOI)).toBe(true)
  expect(await hasUnconverted(REN)).toBe(false)
  expect(await claimConversion(REN)).toBeUndefined()
  expect(await claimConversion(AOI)).toMatchObject({ id: media.id, conversion: { tries: 1 } })
})

test('the converted file replaces the picked one, whose bytes are deleted', async () => {
  const { media } = await pickHeic()
  await claimConversion(AOI)
  expect(await storeConverted(media.id, jpeg)).toEqual({ is: 'stored' })
  expect(await readMedia(media.id)).toMatchObject({
    name: 'a.jpg',
    mime: 'image/jpeg',
    size: 2,
    bytes: { is: 'stored' },
    conversion: { is: 'ready', pickedSize: 3 },
  })
  expect(await stored(media.id)).toEqual([1, 2])
  expect(await chunkCount()).toBe(1)
  expect(await claimConversion(AOI)).toBeUndefined()
})

test('the first frame of a moving picture is marked as one', async () => {
  const { media } = await pickHeic()
  await claimConversion(AOI)
  await storeConverted(media.id, jpeg, true)
  expect((await readMedia(media.id))?.conversion).toEqual({ is: 'ready', pickedSize: 3, stilled: true })
})

test('a device without room for the converted file retains the picked one', async () => {
  const { media } = await pickHeic()
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw new DOMException('no room', 'QuotaExceededError')
  })
  expect(await storeConverted(media.id, jpeg)).toEqual({ is: 'full' })
  put.mockRestore()
  expect(await stored(media.id)).toEqual([7, 8, 9])
  expect(await readMedia(media.id)).toMatchObject({ name: 'a.heic', conversion: { is: 'pending' } })
})

test('a photo that is removed, or whose draft is discarded, during its conversion leaves no bytes', async () => {
  const first = await pickHeic()
  await claimConversion(AOI)
  await removeMedia(first.draft, first.media.id, NOW)
  expect(await storeConverted(first.media.id, jpeg)).toEqual({ is: 'removed' })
  const second = await pickHeic()
  await claimConversion(AOI)
  await discardDraft(second.draft.id, AOI)
  expect(await storeConverted(second.media.id, jpeg)).toEqual({ is: 'removed' })
  expect(await chunkCount()).toBe(0)
})

test('a photo that is being converted is deleted at the sign-out of its person', async () => {
  await pickHeic()
  await purgePerson({ id: AOI, email: 'a@example.com', name: 'あおい', role: 'member', avatar_url: null })
  expect(await chunkCount()).toBe(0)
  expect(await hasUnconverted(AOI)).toBe(false)
})

test('a conversion that ended its page three times begins again only when the person retries it', async () => {
  const { media } = await pickHeic()
  for (const tries of [1, 2, 3])
    expect((await claimConversion(AOI))?.conversion).toMatchObject({ is: 'pending', tries })
  expect(await claimConversion(AOI)).toBeUndefined()
  expect(await readMedia(media.id)).toMatchObject({ conversion: { is: 'failed', why: 'interrupted' } })
  expect(await stored(media.id)).toEqual([7, 8, 9])
  await convertAgain(media.id)
  expect((await claimConversion(AOI))?.conversion).toMatchObject({ tries: 1 })
})

test('a photo that cannot be converted stays as picked, and is sent so only when the person chooses it', async () => {
  const { draft, media } = await pickHeic()
  await failConversion(media.id, 'unconvertible')
  expect(await submitStored(draft.id, AOI, NOW)).toEqual({ is: 'unconverted' })
  await sendAsPicked(media.id)
  expect(await stored(media.id)).toEqual([7, 8, 9])
  expect(await submitStored(draft.id, AOI, NOW)).toMatchObject({ is: 'submitted' })
})

test('a draft is neither submitted nor preuploaded before its photos are converted', async () => {
  const { draft, media } = await pickHeic()
  expect(await submitStored(draft.id, AOI, NOW)).toEqual({ is: 'unconverted' })
  await beginPreupload(draft.id, AOI, NOW)
  expect(await readPreupload(draft.id)).toBeUndefined()
  await storeConverted(media.id, jpeg)
  await beginPreupload(draft.id, AOI, NOW)
  expect((await readPreupload(draft.id))?.files).toMatchObject([{ id: media.id, size: 2 }])
})

test('a submission waits for a thumbnail like for a photo of the post', async () => {
  const { draft, media } = await pickHeic({ role: 'thumbnail' })
  expect(await submitStored(draft.id, AOI, NOW)).toEqual({ is: 'unconverted' })
  await storeConverted(media.id, jpeg)
  expect(await submitStored(draft.id, AOI, NOW)).toMatchObject({ is: 'submitted' })
})

test('a press that waits for photos is stored, and its submission ends the wait', async () => {
  const { draft, media } = await pickHeic()
  await changeDraft(draft, (it) => ({ ...it, submitWhenReady: true }), NOW)
  await storeConverted(media.id, jpeg)
  expect(await hasUnconverted(AOI)).toBe(true)
  await submitStored(draft.id, AOI, NOW)
  expect(await readDraft(draft.id, AOI)).toMatchObject({ submitWhenReady: false })
})

/** The media changes that `work` emits. */
async function emitted(work: () => Promise<unknown>): Promise<Change[]> {
  const changes: Change[] = []
  const stop = onChange((change) => changes.push(change))
  await work()
  stop()
  return changes.filter((it) => it.store === 'media')
}

/** The device has no room for chunks; `onFull` is called when one is refused. */
function fill(): { onFull: () => void } {
  const device = { onFull: () => {} }
  const { put } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...row) {
    if (this.name !== 'chunks') return put.apply(this, row)
    device.onFull()
    throw new DOMException('no room', 'QuotaExceededError')
  })
  return device
}

test('the oldest photo is claimed first, of those that this page can read', async () => {
  const later = await pickHeic({ createdAt: NOW + 2 })
  const first = await pickHeic({ createdAt: NOW + 1 })
  const copying = emptyDraft(AOI, NOW)
  const conversion = { is: 'pending', format: 'heic', keepSize: false, tries: 0 } as const
  await addMedia(copying, pictureRow(copying, { conversion, createdAt: NOW }), NOW)
  const unheld = { is: 'picked', digest: 'a' } as const
  await addMedia(copying, pictureRow(copying, { conversion, bytes: unheld, createdAt: NOW }), NOW)
  expect((await claimConversion(AOI))?.id).toBe(first.media.id)
  await storeConverted(first.media.id, jpeg)
  expect((await claimConversion(AOI))?.id).toBe(later.media.id)
  await storeConverted(later.media.id, jpeg)
  expect(await claimConversion(AOI)).toBeUndefined()
})

/** A HEIC that the device has no room for: this page holds it. */
async function holdHeic() {
  const device = fill()
  const { draft, media } = await pickHeic()
  const held = heldFile(media.id)
  if (!held) throw new Error('the file is not held')
  return { device, draft, media: (await readMedia(media.id)) ?? media, held }
}

test('a picked file is read from its chunks, or from the page that holds it', async () => {
  const { media } = await pickHeic()
  const whole = await readPicked((await readMedia(media.id)) ?? media)
  expect([...new Uint8Array((await whole?.arrayBuffer()) ?? new ArrayBuffer(0))]).toEqual([7, 8, 9])
  const without = await holdHeic()
  expect(await readPicked(without.media)).toBe(without.held)
  releaseFile(without.media.id)
  expect(await readPicked(without.media)).toBeUndefined()
})

test('a held photo is claimed by its page, which then holds the converted file in its place', async () => {
  const { media } = await holdHeic()
  expect((await claimConversion(AOI))?.id).toBe(media.id)
  expect(await storeConverted(media.id, jpeg)).toEqual({ is: 'picked' })
  expect(heldFile(media.id)).toBe(jpeg)
  expect(await readMedia(media.id)).toMatchObject({
    name: 'a.jpg',
    size: 2,
    bytes: { is: 'picked', digest: await digestOf(jpeg) },
    conversion: { is: 'ready', pickedSize: 3 },
  })
  releaseFile(media.id)
})

test('a held photo whose row is not complete yet is not claimed', async () => {
  const draft = emptyDraft(AOI, NOW)
  const conversion = { is: 'pending', format: 'heic', keepSize: false, tries: 0 } as const
  const media = pictureRow(draft, { conversion, bytes: { is: 'copying', stored: 0 } })
  await addMedia(draft, media, NOW)
  await holdFile(media.id, new Blob([bytes(7, 8, 9)]))
  expect(await claimConversion(AOI)).toBeUndefined()
  releaseFile(media.id)
})

test('a second conversion does not release the converted file that this page holds', async () => {
  const { media } = await holdHeic()
  expect(await storeConverted(media.id, jpeg)).toEqual({ is: 'picked' })
  vi.restoreAllMocks()
  expect(await storeConverted(media.id, jpeg)).toEqual({ is: 'removed' })
  expect(heldFile(media.id)).toBe(jpeg)
  releaseFile(media.id)
})

test('a held photo that is removed during its conversion is not held', async () => {
  const { device, draft, media } = await holdHeic()
  let removal: Promise<unknown> | undefined
  device.onFull = () => {
    removal ??= removeMedia(draft, media.id, NOW)
  }
  expect(await storeConverted(media.id, jpeg)).toEqual({ is: 'removed' })
  await removal
  expect(heldFile(media.id)).toBeUndefined()
})

test('a stored conversion releases the picked file', async () => {
  const { media } = await holdHeic()
  vi.restoreAllMocks()
  expect(await storeConverted(media.id, jpeg)).toEqual({ is: 'stored' })
  expect(heldFile(media.id)).toBeUndefined()
})

test('a failure other than missing room is thrown, and the picked file stays', async () => {
  const { media } = await pickHeic()
  const bug = new TypeError('bug')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw bug
  })
  await expect(storeConverted(media.id, jpeg)).rejects.toBe(bug)
  expect(await stored(media.id)).toEqual([7, 8, 9])
})

test('each change of a conversion is emitted, and none where there is none to change', async () => {
  const { media } = await pickHeic()
  const change = { store: 'media', id: media.id }
  expect(await emitted(() => convertAgain(media.id))).toEqual([])
  expect(await emitted(() => sendAsPicked(newId()))).toEqual([])
  expect(await emitted(() => failConversion(media.id, 'unconvertible'))).toEqual([change])
  expect(await emitted(() => failConversion(media.id, 'no_room'))).toEqual([])
  expect(await emitted(() => convertAgain(media.id))).toEqual([change])
  for (const _ of [1, 2, 3]) expect(await emitted(() => claimConversion(AOI))).toEqual([])
  expect(await emitted(() => claimConversion(AOI))).toEqual([change])
  expect(await emitted(() => sendAsPicked(media.id))).toEqual([change])
  expect(await emitted(() => storeConverted(media.id, jpeg))).toEqual([])
  const row = await transact(['media'], 'readonly', (tx) => tx.objectStore('media').get(media.id))
  expect(row?.conversion).toEqual({ is: 'ready' })
})

test('a photo that was stored without a digest gets it when it is sent as it is', async () => {
  const { media } = await pickHeic({ bytes: unhashed })
  const chunk = {
    mediaId: media.id,
    index: 0,
    size: 3,
    sha256: new Uint8Array(),
    bytes: bytes(7, 8, 9).buffer,
  }
  await transact(['media', 'chunks'], 'readwrite', async (tx) => {
    await tx.objectStore('media').put(media)
    await tx.objectStore('chunks').put(chunk)
  })
  await claimConversion(AOI)
  await failConversion(media.id, 'unconvertible')
  await sendAsPicked(media.id)
  const digest = await digestOf(new Blob([bytes(7, 8, 9)]))
  expect(await readMedia(media.id)).toMatchObject({
    bytes: { is: 'stored', digest },
    conversion: { is: 'ready' },
  })
  expect(await compositeDigest(await readLeaves(media.id))).toBe(digest)
  expect(await stored(media.id)).toEqual([7, 8, 9])
})

test('a photo that is waiting for its conversion gets no digest', async () => {
  const { media } = await pickHeic({ bytes: unhashed })
  await transact(['media'], 'readwrite', (tx) => tx.objectStore('media').put(media))
  await sendAsPicked(media.id)
  expect(await readMedia(media.id)).toEqual(media)
})
