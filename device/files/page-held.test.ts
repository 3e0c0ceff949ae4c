// Files held by a page: found by a lock, requested over a channel.
import 'fake-indexeddb/auto'
import { createHash } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { compositeDigest } from '#contract/digest.ts'
import { newId } from '#contract/ids.ts'
import { closeDatabase } from '#device/database/database.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { emptyDraft } from '#device/drafts/drafts.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { CHUNK_BYTES } from './chunks.ts'
import { addMedia, removeMedia } from './media.ts'
import {
  digestOf,
  heldFile,
  findUnheld,
  holdAgain,
  holdFile,
  releaseFile,
  requestFromPage,
} from './page-held.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const going = new AbortController().signal
const bytes = Uint8Array.from({ length: 10 }, (_, i) => i)
const digest = async (of: Uint8Array<ArrayBuffer>) =>
  compositeDigest([new Uint8Array(createHash('sha256').update(of).digest())])

let names: string[] = []
let draft: Draft
let media: Media
beforeEach(async () => {
  names = []
  vi.stubGlobal('navigator', {
    locks: {
      async request(name: string, options: LockOptions, work: () => Promise<unknown>) {
        if (options.mode !== 'shared' && names.includes(name)) await new Promise(() => {})
        names.push(name)
        await work().finally(() => void names.splice(names.indexOf(name), 1))
      },
      query: async () => ({ held: names.map((name) => ({ name })) }),
    },
  })
  draft = emptyDraft(newId(), NOW)
  media = pictureRow(draft, { size: 10, bytes: { is: 'picked', digest: await digest(bytes) } })
  await addMedia(draft, media, NOW)
})
afterEach(async () => {
  releaseFile(media.id)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await closeDatabase()
  await deleteDB('todoke')
})

const request = async (from: number, to: number, signal = going) => {
  const blob = await requestFromPage(media.id, from, to, signal)
  return blob && [...new Uint8Array(await blob.arrayBuffer())]
}

test('the bytes of a held file are sent on request, exactly those requested', async () => {
  await holdFile(media.id, new Blob([bytes]))
  expect(await request(0, 10)).toEqual([...bytes])
  expect(await request(2, 5)).toEqual([2, 3, 4])
  expect(heldFile(media.id)?.size).toBe(10)
  expect(heldFile(newId())).toBeUndefined()
})

test('a request for a file that is not held, or beyond its end, returns no bytes', async () => {
  await holdFile(newId(), new Blob([bytes]))
  const sent = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
  expect(await request(0, 10)).toBeUndefined()
  expect(sent, 'no page is waited for').not.toHaveBeenCalled()
  await holdFile(media.id, new Blob([bytes.slice(0, 4)]))
  expect(await request(0, 10)).toBeUndefined()
})

test('an aborted request ends without bytes, and one without a reply after ten seconds', async () => {
  await holdFile(media.id, new Blob([bytes]))
  vi.spyOn(Blob.prototype, 'arrayBuffer').mockReturnValue(new Promise(() => {}))
  const stop = new AbortController()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const aborted = request(0, 10, stop.signal)
    while (vi.getTimerCount() === 0) await new Promise((done) => setImmediate(done))
    stop.abort()
    // Without the time that a silent page has.
    expect(await aborted).toBeUndefined()
    const silent = request(0, 10)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await silent).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a file that became unreadable is released, and the request ends without bytes', async () => {
  await holdFile(media.id, new Blob([bytes]))
  vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValue(new DOMException('moved', 'NotReadableError'))
  expect(await request(0, 10)).toBeUndefined()
  expect(heldFile(media.id)).toBeUndefined()
  await expect.poll(() => names).toEqual([])
})

test('picked files that no page holds are found', async () => {
  const stored = pictureRow(draft, { bytes: { is: 'stored', digest: '' } })
  const other = pictureRow(draft, { bytes: { is: 'picked', digest: '' } })
  expect(await findUnheld([stored])).toEqual(new Set())
  await holdFile(media.id, new Blob([bytes]))
  expect(await findUnheld([media, stored, other])).toEqual(new Set([other.id]))
  releaseFile(media.id)
  await expect.poll(() => findUnheld([media])).toEqual(new Set([media.id]))
})

test('a browser that lists no locks holds no file', async () => {
  vi.stubGlobal('navigator', { locks: { query: async () => ({}) } })
  expect(await findUnheld([media])).toEqual(new Set([media.id]))
  expect(await request(0, 10)).toBeUndefined()
})

test('holding a file again replaces the one before, with one lock', async () => {
  await holdFile(media.id, new Blob([new Uint8Array(10)]))
  await holdFile(media.id, new Blob([bytes]))
  await expect.poll(() => names).toHaveLength(1)
  expect(await request(0, 3)).toEqual([0, 1, 2])
})

test('a file is held again only with the same bytes, for a picked row of the same size', async () => {
  expect(await holdAgain(media.id, new Blob([bytes.toReversed()]))).toBe(false)
  expect(await holdAgain(media.id, new Blob([bytes, bytes]))).toBe(false)
  expect(await holdAgain(newId(), new Blob([bytes]))).toBe(false)
  const stored = pictureRow(draft, { size: 10, bytes: { is: 'stored', digest: await digest(bytes) } })
  await addMedia(draft, stored, NOW)
  expect(await holdAgain(stored.id, new Blob([bytes]))).toBe(false)
  expect(names).toEqual([])
  expect(await holdAgain(media.id, new Blob([bytes]))).toBe(true)
  expect(await request(0, 10)).toEqual([...bytes])
})

test('a held file is released once its row is deleted, and no other file', async () => {
  const other = pictureRow(draft, { size: 10, bytes: { is: 'picked', digest: await digest(bytes) } })
  await addMedia(draft, other, NOW)
  await holdFile(media.id, new Blob([bytes]))
  await holdFile(other.id, new Blob([bytes]))
  await removeMedia(draft, media.id, NOW)
  await expect.poll(() => names).toHaveLength(1)
  expect(heldFile(media.id)).toBeUndefined()
  expect(heldFile(other.id)?.size).toBe(10)
  releaseFile(other.id)
})

test('a page holds a file that another page holds too', async () => {
  names.push(`todoke-picked:${media.id}`)
  await holdFile(media.id, new Blob([bytes]))
  expect(await request(0, 10)).toEqual([...bytes])
})

test('a page answers each request once, and no message of another form', async () => {
  const file = new Blob([bytes])
  await holdFile(media.id, file)
  const listened = vi.spyOn(EventTarget.prototype, 'addEventListener')
  await holdFile(media.id, file)
  expect(listened, 'the channel is served already').not.toHaveBeenCalled()
  const read = vi.spyOn(file, 'slice')
  const others = new BroadcastChannel('todoke-picked')
  others.postMessage({ mediaId: media.id, from: 0, to: 'end', answer: 'none' })
  others.postMessage(null)
  expect(await request(2, 5)).toEqual([2, 3, 4])
  others.close()
  expect(read.mock.calls).toEqual([[2, 5]])
})

test('a request leaves no timer, no listener and no open channel', async () => {
  await holdFile(media.id, new Blob([bytes]))
  const closed = vi.spyOn(BroadcastChannel.prototype, 'close')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    expect(await request(0, 10)).toEqual([...bytes])
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(going, 'abort')).toEqual([])
    // That of the requests, that of the replies, and that of the page that replied.
    expect(closed).toHaveBeenCalledTimes(3)
  } finally {
    vi.useRealTimers()
  }
})

test('holding a file fails when its lock is refused', async () => {
  const refused = new DOMException('no', 'SecurityError')
  vi.stubGlobal('navigator', { locks: { request: async () => Promise.reject(refused) } })
  await expect(holdFile(media.id, new Blob([bytes]))).rejects.toBe(refused)
})

test('the digest of a file is that of all its chunks', async () => {
  const long = new Uint8Array(CHUNK_BYTES + 1).fill(7)
  const leaves = [long.subarray(0, CHUNK_BYTES), long.subarray(CHUNK_BYTES)].map(
    (it) => new Uint8Array(createHash('sha256').update(it).digest()),
  )
  expect(await digestOf(new Blob([long]))).toBe(await compositeDigest(leaves))
  expect(await digestOf(new Blob([]))).toBe(await compositeDigest([]))
})
