// What the queue reads of files that a page is still copying.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CHUNK_BYTES } from '#device/chunks.ts'
import { copyFile } from '#device/copy.ts'
import { closeDatabase } from '#device/database.ts'
import { readMedia } from '#device/media.ts'
import { deviceStore } from './device-store.ts'
import { Ended } from './outcome.ts'
import { lockDesk, pick } from './picking.ts'

const going = new AbortController().signal

beforeEach(() => vi.stubGlobal('navigator', { locks: lockDesk() }))
afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
  vi.unstubAllGlobals()
})

const bytes = new Uint8Array(CHUNK_BYTES + 3).map((_, i) => i % 251)

test('the digest of a file that is still being copied is waited for', async () => {
  const { media, file } = await pick(bytes)
  const copying = copyFile(media, file)
  const digest = await deviceStore.digest(media.id, going)
  await copying
  expect(digest).toBeTypeOf('string')
  expect((await readMedia(media.id))?.bytes).toEqual({ is: 'stored', digest })
})

test('a digest that nobody is going to make is not waited for', async () => {
  const { media } = await pick(bytes)
  expect(await deviceStore.digest(media.id, going)).toBeUndefined()
})

test('who waits for a digest can be stopped', async () => {
  const { media } = await pick(bytes)
  const stop = new AbortController()
  const desk = navigator.locks
  await new Promise<void>((held) => {
    void desk.request(`todoke-copy:${media.id}`, () => {
      held()
      return new Promise(() => {})
    })
  })
  const waiting = deviceStore.digest(media.id, stop.signal).catch((error: unknown) => error)
  stop.abort()
  expect(((await waiting) as Ended).end).toEqual({ is: 'stopped' })
})
