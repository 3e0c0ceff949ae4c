// Cached data is evicted for a picked file, but only if that is enough.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listResponses, saveResponse } from '#device/cache/responses.ts'
import { closeDatabase } from '#device/database/database.ts'
import { listPictures, savePicture } from '#device/cache/pictures.ts'
import { saveSession } from '#device/session/session.ts'
import { newUser } from '#device/testing/user.ts'
import { makeRoom } from './storage-room.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const MB = 1024 * 1024
/** Bytes that the browser reserves. */
const MARGIN = 16 * MB
const aoi = newUser('葵')

/** Sets the free bytes that the browser reports. */
function free(bytes: number): void {
  const estimate = async () => ({ quota: 100 * MB + MARGIN + bytes, usage: 100 * MB })
  vi.stubGlobal('navigator', { storage: { estimate } })
}
const cachePicture = (ref: string, at: number) =>
  savePicture({ ownerId: aoi.id, ref, width: 480, type: 'image/webp', bytes: new ArrayBuffer(MB), at })
const cacheResponse = (key: string, size: number) =>
  saveResponse({ ownerId: aoi.id, key, value: 'a'.repeat(size), at: NOW })
const cached = async () => [
  ...(await listPictures(aoi.id)),
  ...(await listResponses(aoi.id)).map((it) => it.key),
]

beforeEach(async () => {
  await saveSession({ token: 'a', user: aoi })
  // The newer one is saved first and has the lower name, so that only its time protects it.
  await cachePicture('a newer picture', NOW + 1)
  await cachePicture('an older picture', NOW)
  await cacheResponse('answer', MB)
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await closeDatabase()
  await deleteDB('todoke')
})

test('a file that fits evicts nothing', async () => {
  free(2 * MB)
  expect(await makeRoom(2 * MB)).toBeUndefined()
  expect(await cached()).toEqual(['a newer picture', 'an older picture', 'answer'])
})

test('the oldest pictures are evicted first, as many as necessary', async () => {
  free(2 * MB)
  expect(await makeRoom(2.5 * MB)).toBeUndefined()
  expect(await cached()).toEqual(['a newer picture', 'answer'])
})

test('responses are evicted after the pictures when those are not enough', async () => {
  free(MB)
  expect(await makeRoom(3.5 * MB)).toBeUndefined()
  expect(await cached()).toEqual([])
})

test('nothing is evicted for a file that does not fit even then, and both sizes are returned', async () => {
  free(MB)
  expect(await makeRoom(5 * MB)).toEqual({ needed: 5 * MB, free: MB })
  expect(await cached()).toEqual(['a newer picture', 'an older picture', 'answer'])
})
