// Pictures and face video of an identity check that is not submitted yet.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { readChunk } from '#device/files/chunks.ts'
import { closeDatabase } from '#device/database/database.ts'
import { chooseDocument, removePart, storePart, storePrompts, readIdentity } from './identity.ts'
import { listMedia } from '#device/files/media.ts'
import { newId } from '#contract/ids.ts'
import { NOW, newPrompts, identityFile, locks, storeWholeCheck } from '#device/testing/identity.ts'
import { changesDuring } from '#device/testing/changes.ts'

const AOI = newId()

beforeEach(() => void vi.stubGlobal('navigator', { locks }))
afterEach(async () => {
  vi.restoreAllMocks()
  await closeDatabase()
  await deleteDB('todoke')
  vi.unstubAllGlobals()
})

/** The changes that `work` emits, without those of files. */
const emitted = async (work: () => Promise<unknown>) =>
  (await changesDuring(work)).filter((it) => it.store !== 'chunks' && it.store !== 'media')

test('photographed parts are still there after the app was closed, for their owner only', async () => {
  await storeWholeCheck(AOI)
  await closeDatabase()
  const draft = await readIdentity(AOI)
  expect(draft).toMatchObject({ documentKind: 'drivers_license', asked: { prompts: ['nod', 'turn_right'] } })
  expect(await (await readChunk(defined(draft?.front), 0))?.text()).toBe('front')
  expect(await readIdentity(newId()), 'only for its owner').toBeUndefined()
})

test('a new picture replaces the one before, whose bytes are deleted', async () => {
  await storeWholeCheck(AOI)
  const before = defined((await readIdentity(AOI))?.front)
  await storePart(AOI, 'front', identityFile('sharper'), NOW)
  const after = defined((await readIdentity(AOI))?.front)
  expect(await readChunk(before, 0)).toBeUndefined()
  expect(await (await readChunk(after, 0))?.text()).toBe('sharper')
})

test('choosing another kind of document deletes the pictures, and new prompts delete the face video', async () => {
  await storeWholeCheck(AOI)
  await chooseDocument(AOI, 'passport', NOW)
  expect(await readIdentity(AOI)).toMatchObject({ front: null, back: null, live: expect.any(String) })
  await storePrompts(AOI, newPrompts(), NOW)
  expect(await readIdentity(AOI)).toMatchObject({ live: null })
  const draft = await readIdentity(AOI)
  expect(await listMedia(defined(draft?.id))).toEqual([])
})

test('removePart deletes a part and its bytes only while it is the media that the caller names', async () => {
  await storeWholeCheck(AOI)
  const before = await readIdentity(AOI)
  const front = defined(before?.front)
  const live = defined(before?.live)
  await removePart(AOI, 'front', newId(), NOW)
  expect(await readIdentity(AOI)).toEqual(before)
  expect(await (await readChunk(front, 0))?.text()).toBe('front')
  expect(await emitted(() => removePart(AOI, 'front', front, NOW))).toEqual([{ store: 'identity', id: AOI }])
  expect(await readIdentity(AOI)).toEqual({ ...before, front: null })
  expect(await readChunk(front, 0)).toBeUndefined()
  expect(await (await readChunk(live, 0))?.text()).toBe('live')
})

test('choosing the same kind of document again retains its pictures', async () => {
  await storeWholeCheck(AOI)
  const before = await readIdentity(AOI)
  await chooseDocument(AOI, 'drivers_license', NOW)
  expect(await readIdentity(AOI)).toEqual(before)
  expect(await (await readChunk(defined(before?.front), 0))?.text()).toBe('front')
})

test('each part is a media row with a name and its owner; the face video has the kind video', async () => {
  await storeWholeCheck(AOI)
  const draft = await readIdentity(AOI)
  const rows = (await listMedia(defined(draft?.id))).map(({ role, kind, name, alt, ownerId }) => [
    role,
    kind,
    name,
    alt,
    ownerId,
  ])
  expect(rows.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))).toEqual([
    ['back', 'image', '書類の裏面', '', AOI],
    ['front', 'image', '書類の表面', '', AOI],
    ['live', 'video', '顔の動画', '', AOI],
  ])
})

test('a picture that cannot be read adds no media row, and the earlier one remains', async () => {
  await storeWholeCheck(AOI)
  const before = await readIdentity(AOI)
  const rows = await listMedia(defined(before?.id))
  const broken = identityFile('broken')
  vi.spyOn(broken, 'slice').mockImplementation(() => {
    throw new DOMException('moved', 'NotReadableError')
  })
  expect(await storePart(AOI, 'front', broken, NOW)).toEqual({ is: 'unreadable' })
  expect(await readIdentity(AOI)).toEqual(before)
  expect(await listMedia(defined(before?.id))).toEqual(rows)
})
