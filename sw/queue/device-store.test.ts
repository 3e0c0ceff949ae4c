// What the queue reads of files that a page is still copying.
import 'fake-indexeddb/auto'
import { getEventListeners } from 'node:events'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { emitChange } from '#device/database/changes.ts'
import { CHUNK_BYTES, sealPicked, storeChunks } from '#device/files/chunks.ts'
import { copyFile } from '#device/files/import-file.ts'
import { createChunker } from '#device/files/chunker.ts'
import { closeDatabase } from '#device/database/database.ts'
import { readMedia, removeMedia } from '#device/files/media.ts'
import { digestOf } from '#device/files/page-held.ts'
import { deviceStore } from './device-store.ts'
import { Ended } from './requests/outcome.ts'
import { fakeLocks, NOW, pick } from '#sw/testing/picking.ts'

const going = new AbortController().signal

beforeEach(() => vi.stubGlobal('navigator', { locks: fakeLocks() }))
afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const bytes = new Uint8Array(CHUNK_BYTES + 3).map((_, i) => i % 251)

test('the queue waits for the digest of a file that is still being copied', async () => {
  const { media, file } = await pick(bytes)
  const copying = copyFile(media, file)
  const digest = await deviceStore.digest(media.id, going)
  await copying
  expect(digest).toBeTypeOf('string')
  expect(getEventListeners(going, 'abort'), 'none is left').toEqual([])
  expect((await readMedia(media.id))?.bytes).toEqual({ is: 'stored', digest })
})

test('the queue does not wait for a digest that no page is computing', async () => {
  const { media } = await pick(bytes)
  expect(await deviceStore.digest(media.id, going)).toBeUndefined()
})

test('a file whose page ended after its last chunk gets its digest; one with a chunk less has none', async () => {
  const { media, file } = await pick(bytes)
  const cut = createChunker(file, 'buffer')
  await storeChunks({ mediaId: media.id, index: 0, ...(await cut(0)) })
  expect(await deviceStore.digest(media.id, going)).toBeUndefined()
  await storeChunks({ mediaId: media.id, index: 1, ...(await cut(1)) })
  expect(await deviceStore.digest(media.id, going)).toBe(await digestOf(file))
})

test('a range across two chunks has the bytes between its ends', async () => {
  const { media, file } = await pick(bytes)
  await copyFile(media, file)
  const [from, to] = [CHUNK_BYTES - 5, CHUNK_BYTES + 2]
  const range = await deviceStore.range(media.id, from, to, going)
  expect(range?.size).toBe(7)
  expect(new Uint8Array(defined(await range?.arrayBuffer()))).toEqual(bytes.slice(from, to))
})

/** A page copies this media for as long as the test lasts. */
async function holdCopyLock(mediaId: string): Promise<void> {
  await new Promise<void>((held) => {
    void navigator.locks.request(`todoke-copy:${mediaId}`, () => {
      held()
      return new Promise(() => {})
    })
  })
}

test('the queue waits for a chunk that a page is still copying, and reads a stored one at once', async () => {
  const { media, file } = await pick(bytes)
  await holdCopyLock(media.id)
  const cut = createChunker(file, 'buffer')
  const { signal } = new AbortController()
  const second = deviceStore.chunk(media.id, 1, signal)
  await storeChunks({ mediaId: media.id, index: 0, ...(await cut(0)) })
  expect((await deviceStore.chunk(media.id, 0, signal))?.size).toBe(CHUNK_BYTES)
  await storeChunks({ mediaId: media.id, index: 1, ...(await cut(1)) })
  expect((await second)?.size).toBe(3)
  expect(getEventListeners(signal, 'abort'), 'none is left').toEqual([])
})

test('a chunk that is neither stored nor copied nor held by a page is missing', async () => {
  const { media } = await pick(bytes)
  expect(await deviceStore.chunk(media.id, 0, going)).toBeUndefined()
  expect(await deviceStore.chunk('unknown', 0, going)).toBeUndefined()
  expect(await deviceStore.range(media.id, 0, 3, going)).toBeUndefined()
  expect(await deviceStore.digest('unknown', going)).toBeUndefined()
})

test('a wait for a chunk can be stopped', async () => {
  const { media } = await pick(bytes)
  await holdCopyLock(media.id)
  const stop = new AbortController()
  const waiting = deviceStore.chunk(media.id, 0, stop.signal).catch((error: unknown) => error)
  stop.abort()
  expect(((await waiting) as Ended).end).toEqual({ is: 'stopped' })
})

test('a wait for a digest can be stopped', async () => {
  const { media } = await pick(bytes)
  const stop = new AbortController()
  await holdCopyLock(media.id)
  const waiting = deviceStore.digest(media.id, stop.signal).catch((error: unknown) => error)
  stop.abort()
  expect(((await waiting) as Ended).end).toEqual({ is: 'stopped' })
})

test('a chunk that arrives is read at once, and its wait leaves no timer and no listener', async () => {
  const { media, file } = await pick(bytes)
  await holdCopyLock(media.id)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const waiting = deviceStore.chunk(media.id, 0, going)
  await expect.poll(() => vi.getTimerCount(), { timeout: 2000 }).toBe(1)
  await storeChunks({ mediaId: media.id, index: 0, ...(await createChunker(file, 'buffer')(0)) })
  expect((await waiting)?.size).toBe(CHUNK_BYTES)
  expect(vi.getTimerCount()).toBe(0)
  let reads = 0
  const change = { store: 'chunks', index: 1 } as const
  emitChange(Object.defineProperty(change, 'id', { get: () => (reads++, media.id) }) as never)
  expect(reads, 'no listener reads the change').toBe(0)
})

test('a digest that is stored is read at once, also while another page copies the file again', async () => {
  const { media, file } = await pick(bytes)
  await copyFile(media, file)
  await holdCopyLock(media.id)
  expect(await deviceStore.digest(media.id, going)).toBe(await digestOf(file))
})

/** Runs `change` between the queue's read of a media and its look at the pages that copy it. */
function beforeLocksAreRead(change: () => Promise<unknown>): void {
  vi.spyOn(navigator.locks, 'query').mockImplementationOnce(async () => {
    await change()
    return { held: [], pending: [] }
  })
}

test('a file without room whose page ends its digest meanwhile has that digest', async () => {
  const { media, file } = await pick(bytes)
  const cut = createChunker(file, 'buffer')
  await storeChunks({ mediaId: media.id, index: 0, ...(await cut(0)) })
  const digest = await digestOf(file)
  beforeLocksAreRead(() => sealPicked(media.id, digest))
  expect(await deviceStore.digest(media.id, going)).toBe(digest)
  expect((await readMedia(media.id))?.bytes).toEqual({ is: 'picked', digest })
})

test('a file that is removed while its digest is computed has none', async () => {
  const first = await pick(bytes)
  beforeLocksAreRead(() => removeMedia(first.draft, first.media.id, NOW))
  expect(await deviceStore.digest(first.media.id, going)).toBeUndefined()
  const { draft, media, file } = await pick(bytes)
  const cut = createChunker(file, 'buffer')
  for (const index of [0, 1]) await storeChunks({ mediaId: media.id, index, ...(await cut(index)) })
  const compute = crypto.subtle.digest.bind(crypto.subtle)
  vi.spyOn(crypto.subtle, 'digest').mockImplementationOnce(async (...given) => {
    await removeMedia(draft, media.id, NOW)
    return compute(...given)
  })
  expect(await deviceStore.digest(media.id, going)).toBeUndefined()
})
