// Page-held files: the open page provides the bytes; only the same file is accepted again.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { compositeDigest } from '#contract/digest.ts'
import { deviceStore } from './device-store.ts'
import { Ended } from './requests/outcome.ts'
import { fakeLocks, NOW, pick } from '#sw/testing/picking.ts'
import { CHUNK_BYTES, readChunk } from '#device/files/chunks.ts'
import { copyFile } from '#device/files/import-file.ts'
import { closeDatabase } from '#device/database/database.ts'
import { readMedia, removeMedia } from '#device/files/media.ts'
import { findUnheld, holdFile, releaseFile, holdAgain } from '#device/files/page-held.ts'

const going = new AbortController().signal

beforeEach(() => vi.stubGlobal('navigator', { locks: fakeLocks() }))
afterEach(async () => {
  vi.restoreAllMocks()
  await closeDatabase()
  await deleteDB('todoke')
  vi.unstubAllGlobals()
})

/** The device has room for this many chunks. */
function roomFor(chunks: number): void {
  const put = IDBObjectStore.prototype.put
  let left = chunks
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...row) {
    if (this.name === 'chunks' && left-- <= 0) throw new DOMException('no room', 'QuotaExceededError')
    return put.apply(this, row)
  })
}

const noise = (size: number) => new Uint8Array(size).map((_, i) => (i * 7 + (i >> 8)) % 251)

test('when room runs out in the middle of a file no part stays stored, and its bytes are still sent', async () => {
  const bytes = noise(CHUNK_BYTES * 2 + 5)
  const { media, file } = await pick(bytes)
  roomFor(1)
  expect(await copyFile(media, file)).toMatchObject({ is: 'picked' })
  expect(await readChunk(media.id, 0)).toBeUndefined()
  const cuts = [0, 1, 2].map((i) => bytes.slice(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES))
  const leaves = await Promise.all(
    cuts.map(async (cut) => new Uint8Array(await crypto.subtle.digest('SHA-256', cut))),
  )
  expect(await deviceStore.digest(media.id, going)).toBe(await compositeDigest(leaves))
  const across = await deviceStore.range(media.id, CHUNK_BYTES - 3, bytes.length, going)
  expect(Buffer.from((await across?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(
    Buffer.from(bytes.slice(CHUNK_BYTES - 3)),
  )
})

test('a file that is known not to fit is not copied', async () => {
  const { media, file } = await pick(noise(10))
  expect(await copyFile(media, file, false)).toMatchObject({ is: 'picked' })
  expect(await readChunk(media.id, 0)).toBeUndefined()
  expect((await deviceStore.chunk(media.id, 0, going))?.size).toBe(10)
})

test('once its page is closed the file is reported as unheld and its job waits', async () => {
  const { media, file } = await pick(noise(10))
  await copyFile(media, file, false)
  const row = await readMedia(media.id)
  if (!row) throw new Error('the media row is missing')
  expect(await findUnheld([row])).toEqual(new Set())
  releaseFile(media.id)
  await expect.poll(() => findUnheld([row])).toEqual(new Set([media.id]))
  const end = await deviceStore.chunk(media.id, 0, going).catch((error: unknown) => error)
  expect((end as Ended).end).toEqual({ is: 'lost' })
})

test('a step that is stopped while no page holds its file ends as stopped, not as lost', async () => {
  const { media, file } = await pick(noise(10))
  await copyFile(media, file, false)
  releaseFile(media.id)
  const end = await deviceStore.chunk(media.id, 0, AbortSignal.abort()).catch((error: unknown) => error)
  expect((end as Ended).end).toEqual({ is: 'stopped' })
})

test('another file of the same size is not accepted in its place; the same file is', async () => {
  const { media, file } = await pick(noise(10))
  await copyFile(media, file, false)
  releaseFile(media.id)
  expect(await holdAgain(media.id, new Blob([noise(11).slice(1)]))).toBe(false)
  expect(await deviceStore.chunk(media.id, 0, going).catch((error: unknown) => error)).toBeInstanceOf(Ended)
  expect(await holdAgain(media.id, new Blob([noise(10)]))).toBe(true)
  expect((await deviceStore.chunk(media.id, 0, going))?.size).toBe(10)
})

test('a file that became shorter is not sent', async () => {
  const { media, file } = await pick(noise(10))
  await copyFile(media, file, false)
  await holdFile(media.id, new Blob([noise(4)]))
  const end = await deviceStore.chunk(media.id, 0, going).catch((error: unknown) => error)
  expect((end as Ended).end).toEqual({ is: 'lost' })
})

test('a file that can no longer be read is released and reported as unheld', async () => {
  const { media, file } = await pick(noise(10))
  await copyFile(media, file, false)
  vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValue(new DOMException('moved', 'NotReadableError'))
  const end = await deviceStore.chunk(media.id, 0, going).catch((error: unknown) => error)
  expect((end as Ended).end).toEqual({ is: 'lost' })
  const row = await readMedia(media.id)
  expect(await findUnheld(row ? [row] : [])).toEqual(new Set([media.id]))
})

test('a file that was removed from its draft is released', async () => {
  const { draft, media, file } = await pick(noise(10))
  await copyFile(media, file, false)
  await removeMedia(draft, media.id, NOW)
  await expect.poll(async () => (await navigator.locks.query()).held).toEqual([])
})

test('a thumbnail without room is refused', async () => {
  const { media, file } = await pick(noise(10), 'thumbnail')
  roomFor(0)
  expect(await copyFile(media, file)).toEqual({ is: 'full' })
})
