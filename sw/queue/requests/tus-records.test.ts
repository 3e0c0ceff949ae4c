// What an upload by the resumable protocol records of each answer.
import { expect, test, vi } from 'vitest'
import { defaultOptions } from 'tus-js-client'
import { PROGRESS_EVERY } from '#contract/limits.ts'
import type { Media } from '#device/database/schema.ts'
import { CHUNK_BYTES } from '#device/files/chunks.ts'
import type { Pace } from '#sw/queue/pace.ts'
import type { Clock, QueueStore } from '#sw/queue/ports.ts'
import { FILE, neverAborted, PATH, user, withFile } from '#sw/testing/queue-calls.ts'
import {
  scripted,
  stillClock,
  storeWith,
  type RecordedRequest,
  type ScriptedReply,
} from '#sw/testing/scripted-server.ts'
import { createTusApi } from './tus.ts'

const SIZE = CHUNK_BYTES + 3
const at =
  (offset: number, headers: Record<string, string> = {}) =>
  (): ScriptedReply => ({
    status: 200,
    headers: { 'Upload-Offset': String(offset), 'Upload-Length': String(SIZE), ...headers },
  })
const took = (request: RecordedRequest): ScriptedReply => {
  const offset = Number(request.headers['Upload-Offset']) + (request.body as Blob).size
  return { status: 204, headers: { 'Upload-Offset': String(offset) } }
}
const refusal =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  (): ScriptedReply => ({ status, headers, body: { error: { code } } })

/** Sends one file of two chunks; `broken` counts the pieces that made later ones smaller. */
async function send(
  answers: Parameters<typeof scripted>[0],
  given: { isNew?: boolean; clock?: Clock; store?: Partial<QueueStore>; signal?: AbortSignal } = {},
) {
  const server = scripted(answers)
  const progress: unknown[] = []
  const refused: string[] = []
  const went: number[] = []
  let broken = 0
  const pace: Pace = {
    piece: () => CHUNK_BYTES,
    went: (bytes) => void went.push(bytes),
    broke: () => void broken++,
  }
  const tus = createTusApi({
    fetch: server.fetch,
    clock: given.clock ?? stillClock,
    pace,
    endpoint: 'https://todoke.test/upload-chunking-2',
    store: storeWith({
      session: async () => ({ token: 'secret', user }),
      refused: async (token) => void refused.push(token),
      media: async () => ({ id: FILE, name: 'a.mp4', mime: 'video/mp4', size: SIZE }) as Media,
      chunk: async (_id, index) => new Blob([new Uint8Array(index === 0 ? CHUNK_BYTES : 3)]),
      ...given.store,
    }),
  })
  const job = withFile({ size: SIZE, ...(given.isNew && { state: { is: 'waiting' as const } }) })
  const onProgress = async (it: unknown) => void progress.push(it)
  const end = await tus.send(job, FILE, onProgress, given.signal ?? neverAborted)
  return { end, progress, server, refused, went, broken }
}

test('a creation that is refused records no address, whatever its refusal names', async () => {
  const refused = refusal(413, 'too_large', {
    Location: 'https://portal.example/upload',
    'Upload-Offset': '0',
  })
  const { end, progress } = await send([refused], { isNew: true })
  expect([end, progress]).toEqual([{ is: 'refused', code: 'too_large' }, []])
})

test('a creation records that the server has no byte, whatever offset its reply names', async () => {
  const created = (): ScriptedReply => ({
    status: 201,
    headers: { Location: PATH, 'Upload-Offset': String(SIZE) },
  })
  const { progress } = await send([created, () => 'cut'], { isNew: true })
  expect(progress).toEqual([{ url: `https://todoke.test${PATH}` }, { offset: 0 }])
})

test('only the reply to a creation names the address of an upload', async () => {
  const location = { Location: 'https://portal.example/upload' }
  const patched = (request: RecordedRequest): ScriptedReply => {
    const { status, headers } = took(request)
    return { status, headers: { ...headers, ...location } }
  }
  const { end, progress, server } = await send([at(0, location), patched, patched])
  expect(end).toEqual({ is: 'ok', value: null })
  expect(progress).toEqual([{ offset: 0 }, { offset: SIZE }])
  expect(server.requestLines()).toEqual([`HEAD ${PATH}`, `PATCH ${PATH}`, `PATCH ${PATH}`])
})

test('a refused piece whose offset is empty records no offset and makes the next piece smaller', async () => {
  const { end, progress, broken } = await send([
    at(0),
    refusal(409, 'offset_mismatch', { 'Upload-Offset': '' }),
  ])
  expect([end, progress, broken]).toEqual([{ is: 'lost', why: 'foreign' }, [{ offset: 0 }], 1])
})

test('the offset that ends a step with a second refusal is not recorded', async () => {
  const strayed = (offset: number) => refusal(409, 'offset_mismatch', { 'Upload-Offset': String(offset) })
  const { end, progress } = await send([at(0), strayed(5), strayed(9)])
  expect([end, progress]).toEqual([{ is: 'lost' }, [{ offset: 0 }, { offset: 5 }]])
})

test('a piece counts with its own bytes, not with those that the server had before', async () => {
  expect((await send([at(5), took, took])).went).toEqual([CHUNK_BYTES - 5, 8 - 5])
})

test.each([
  ['a piece that is cut off', [at(0), () => 'cut' as const], 1],
  ['a piece that is refused', [at(0), refusal(503, 'unavailable')], 1],
  ['a piece whose token is refused', [at(0), refusal(401, 'unauthenticated')], 0],
  ['a HEAD that is refused', [refusal(503, 'unavailable')], 0],
])('%s makes the next piece smaller as often as its network was slow', async (_name, answers, times) => {
  expect((await send(answers)).broken).toBe(times)
})

test('a file without bytes on the device ends as refused; its pieces stay as large', async () => {
  const { end, broken, refused } = await send([at(0)], { store: { chunk: async () => undefined } })
  expect([end, broken, refused]).toEqual([{ is: 'refused', code: 'bytes_missing' }, 0, []])
})

test('an offset is stored exactly half a second after the one before', async () => {
  let now = 0
  const later = (ms: number) => (request: RecordedRequest) => ((now += ms), took(request))
  const clock = { ...stillClock, now: () => now }
  const { progress } = await send([at(0), later(PROGRESS_EVERY), later(1)], { clock })
  expect(progress).toEqual([{ offset: 0 }, { offset: CHUNK_BYTES }, { offset: SIZE }])
})

test('a chunk that is read ahead is wanted no more when the step has ended', async () => {
  const wanted: AbortSignal[] = []
  const chunk: QueueStore['chunk'] = async (_id, index, signal) => {
    wanted.push(signal)
    return index === 0 ? new Blob([new Uint8Array(CHUNK_BYTES)]) : new Promise(() => undefined)
  }
  const { end } = await send([at(0), () => 'cut'], { store: { chunk } })
  expect([end, wanted.map((it) => it.aborted)]).toEqual([{ is: 'lost' }, [true, true]])
})

test('a step can be stopped while its bytes are still being copied', async () => {
  const stop = new AbortController()
  const read = Promise.withResolvers<AbortSignal>()
  const chunk: QueueStore['chunk'] = (_id, _index, signal) => {
    read.resolve(signal)
    return new Promise(() => undefined)
  }
  const sending = send([at(0)], { store: { chunk }, signal: stop.signal })
  const signal = await read.promise
  stop.abort()
  expect((await sending).end).toEqual({ is: 'stopped' })
  expect(signal.aborted).toBe(true)
})

test('addresses are stored in the job alone: tus-js-client stores none by itself', async () => {
  const storage = defaultOptions.urlStorage
  if (!storage) throw new Error('tus-js-client has no storage of addresses')
  const add = vi.spyOn(storage, 'addUpload')
  const created = (): ScriptedReply => ({ status: 201, headers: { Location: PATH } })
  expect((await send([created, took, took], { isNew: true })).end).toEqual({ is: 'ok', value: null })
  expect(add).not.toHaveBeenCalled()
})
