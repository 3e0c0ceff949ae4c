// Parts of an identity check that is being photographed.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readChunk } from '#device/files/chunks.ts'
import { closeDatabase } from '#device/database/database.ts'
import { chooseDocument, dropPart, storePart, storePrompts, readIdentity } from './identity.ts'
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

test('photographed parts are stored after the app was closed', async () => {
  await storeWholeCheck(AOI)
  await closeDatabase()
  const draft = await readIdentity(AOI)
  expect(draft).toMatchObject({ documentKind: 'drivers_license', asked: { prompts: ['nod', 'turn_right'] } })
  expect(await (await readChunk(draft?.front ?? '', 0))?.text()).toBe('front')
  expect(await readIdentity(newId()), 'only for its owner').toBeUndefined()
})

test('a new picture replaces the one before, whose bytes are deleted', async () => {
  await storeWholeCheck(AOI)
  const before = (await readIdentity(AOI))?.front ?? ''
  await storePart(AOI, 'front', identityFile('sharper'), NOW)
  const after = (await readIdentity(AOI))?.front ?? ''
  expect(await readChunk(before, 0)).toBeUndefined()
  expect(await (await readChunk(after, 0))?.text()).toBe('sharper')
})

test('another document deletes the pictures, and other prompts the recording', async () => {
  await storeWholeCheck(AOI)
  await chooseDocument(AOI, 'passport', NOW)
  expect(await readIdentity(AOI)).toMatchObject({ front: null, back: null, live: expect.any(String) })
  await storePrompts(AOI, newPrompts(), NOW)
  expect(await readIdentity(AOI)).toMatchObject({ live: null })
  const draft = await readIdentity(AOI)
  expect(await listMedia(draft?.id ?? '')).toEqual([])
})

test('a part that is dropped leaves the check with its bytes, if it is still that one', async () => {
  await storeWholeCheck(AOI)
  const before = await readIdentity(AOI)
  const [front = '', live = ''] = [before?.front ?? undefined, before?.live ?? undefined]
  await dropPart(AOI, 'front', newId(), NOW)
  expect(await readIdentity(AOI)).toEqual(before)
  expect(await (await readChunk(front, 0))?.text()).toBe('front')
  expect(await emitted(() => dropPart(AOI, 'front', front, NOW))).toEqual([{ store: 'identity', id: AOI }])
  expect(await readIdentity(AOI)).toEqual({ ...before, front: null })
  expect(await readChunk(front, 0)).toBeUndefined()
  expect(await (await readChunk(live, 0))?.text()).toBe('live')
})

test('choosing the same document again retains its pictures', async () => {
  await storeWholeCheck(AOI)
  const before = await readIdentity(AOI)
  await chooseDocument(AOI, 'drivers_license', NOW)
  expect(await readIdentity(AOI)).toEqual(before)
  expect(await (await readChunk(before?.front ?? '', 0))?.text()).toBe('front')
})

test('a part is a named row of its check, the recording a video', async () => {
  await storeWholeCheck(AOI)
  const draft = await readIdentity(AOI)
  const rows = (await listMedia(draft?.id ?? '')).map(({ role, kind, name, alt, ownerId }) => [
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

test('a part that cannot be read leaves the one before, and no row or bytes of its own', async () => {
  await storeWholeCheck(AOI)
  const before = await readIdentity(AOI)
  const rows = await listMedia(before?.id ?? '')
  const broken = identityFile('broken')
  vi.spyOn(broken, 'slice').mockImplementation(() => {
    throw new DOMException('moved', 'NotReadableError')
  })
  expect(await storePart(AOI, 'front', broken, NOW)).toEqual({ is: 'unreadable' })
  expect(await readIdentity(AOI)).toEqual(before)
  expect(await listMedia(before?.id ?? '')).toEqual(rows)
})
