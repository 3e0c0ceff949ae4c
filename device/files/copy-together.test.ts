// Chunks that were read while a transaction ran are stored together in the next one.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import type { Chunk } from '#device/database/schema.ts'
import { emptyDraft } from '#device/drafts/drafts.ts'
import { modulesStoring, navigatorOf } from '#device/testing/byte-form.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import type { ByteForm } from './byte-form.ts'
import { CHUNK_BYTES } from './chunks.ts'
import { addMedia } from './media.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')

let device: Awaited<ReturnType<typeof modulesStoring>>
afterEach(async () => {
  vi.restoreAllMocks()
  await device.closeDatabase()
  await closeDatabase()
  await deleteDB('todoke')
  vi.unstubAllGlobals()
})

/** Loads the device, with a picked file of six chunks. */
async function picked(form: ByteForm) {
  vi.stubGlobal('navigator', navigatorOf(form))
  vi.resetModules()
  device = await modulesStoring(form)
  const file = new File([new Uint8Array(5 * CHUNK_BYTES + 1)], 'a.mp4')
  const draft = emptyDraft(newId(), NOW)
  const media = pictureRow(draft, { kind: 'video', size: file.size, bytes: { is: 'copying', stored: 0 } })
  await addMedia(draft, media, NOW)
  return { media, file }
}

/** Records the chunks of each transaction. The first one with a chunk stays open until `released` resolves. */
function watchChunks(released: Promise<unknown>): number[][] {
  const byTransaction = new Map<IDBTransaction, number[]>()
  const lists: number[][] = []
  let isReleased = false
  void released.then(() => (isReleased = true))
  const { put } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...given) {
    if (this.name !== 'chunks') return put.apply(this, given)
    const { index } = given[0] as Chunk
    const known = byTransaction.get(this.transaction)
    if (known) known.push(index)
    else lists.push([index])
    byTransaction.set(this.transaction, known ?? (lists.at(-1) as number[]))
    const keepOpen = () => {
      if (!isReleased) this.count().addEventListener('success', keepOpen)
    }
    if (index === 0) keepOpen()
    return put.apply(this, given)
  })
  return lists
}

/** Copies a file of six chunks; the first transaction ends when `reads` chunks were hashed. @returns the chunks of each */
async function copied(form: ByteForm, reads: number): Promise<number[][]> {
  const { media, file } = await picked(form)
  const first = Promise.withResolvers<void>()
  const lists = watchChunks(first.promise)
  const hashing = vi.spyOn(crypto.subtle, 'digest')
  const copying = device.copyFile(media, file)
  await expect.poll(() => hashing.mock.calls.length, { timeout: 5000 }).toBe(reads)
  expect(lists).toEqual([[0]])
  first.resolve()
  expect((await copying).is).toBe('stored')
  return lists
}

test('four chunks are read during a transaction and are in the next one', async () => {
  const lists = await copied('blob', 5)
  expect(lists.slice(0, 2)).toEqual([[0], [1, 2, 3, 4]])
  expect(lists.flat()).toEqual([0, 1, 2, 3, 4, 5])
})

test.each(['copy', 'buffer'] as const)('as %s, one chunk is read ahead', async (form) => {
  expect(await copied(form, 2)).toEqual([[0], [1], [2], [3], [4], [5]])
})

test('a copy whose row is removed stops, and closes the file', async () => {
  const { media, file } = await picked('blob')
  await transact(['media'], 'readwrite', (tx) => tx.objectStore('media').delete(media.id))
  const cancel = vi.spyOn(ReadableStreamBYOBReader.prototype, 'cancel')
  expect(await device.copyFile(media, file)).toEqual({ is: 'removed' })
  expect(cancel).toHaveBeenCalledOnce()
})
