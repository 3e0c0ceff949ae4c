// Room for a picked file: cached data is evicted for it, but only if that suffices.
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
/** What the browser keeps for itself. */
const MARGIN = 16 * MB
const aoi = newUser('葵')

/** The browser has so much left, bytes. */
function free(bytes: number): void {
  const estimate = async () => ({ quota: 100 * MB + MARGIN + bytes, usage: 100 * MB })
  vi.stubGlobal('navigator', { storage: { estimate } })
}
const keepPicture = (ref: string, at: number) =>
  savePicture({ ownerId: aoi.id, ref, width: 480, type: 'image/webp', bytes: new ArrayBuffer(MB), at })
const keepAnswer = (key: string, size: number) =>
  saveResponse({ ownerId: aoi.id, key, value: 'a'.repeat(size), at: NOW })
const kept = async () => [
  ...(await listPictures(aoi.id)),
  ...(await listResponses(aoi.id)).map((it) => it.key),
]

beforeEach(async () => {
  await saveSession({ token: 'a', user: aoi })
  // The newer one first: by its name it would be the first to go.
  await keepPicture('a newer picture', NOW + 1)
  await keepPicture('an older picture', NOW)
  await keepAnswer('answer', MB)
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await closeDatabase()
  await deleteDB('todoke')
})

test('a file that fits beside what was read takes nothing away', async () => {
  free(2 * MB)
  expect(await makeRoom(2 * MB)).toBeUndefined()
  expect(await kept()).toEqual(['a newer picture', 'an older picture', 'answer'])
})

test('the oldest pictures give way first, as many as the file needs', async () => {
  free(2 * MB)
  expect(await makeRoom(2.5 * MB)).toBeUndefined()
  expect(await kept()).toEqual(['a newer picture', 'answer'])
})

test('where the pictures are not enough, the answers go after them', async () => {
  free(MB)
  expect(await makeRoom(3.5 * MB)).toBeUndefined()
  expect(await kept()).toEqual([])
})

test('for a file that does not fit without them either nothing goes, and both figures are told', async () => {
  free(MB)
  expect(await makeRoom(5 * MB)).toEqual({ needed: 5 * MB, free: MB })
  expect(await kept()).toEqual(['a newer picture', 'an older picture', 'answer'])
})
