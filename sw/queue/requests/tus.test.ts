// Sending a media by the resumable protocol, as transcripts (tus 1.0.0, specification section 7).
import { describe, expect, test } from 'vitest'
import { RESPONSE_HEADER } from '#contract/response.ts'
import { MiB, PROGRESS_EVERY } from '#contract/limits.ts'
import { CHUNK_BYTES } from '#device/files/chunks.ts'
import type { FileState } from '#device/jobs/file-row.ts'
import { postJob } from '#device/testing/jobs.ts'
import type { Media } from '#device/database/schema.ts'
import { createPace, type Pace } from '#sw/queue/pace.ts'
import type { Clock, Fetch, OnProgress } from '#sw/queue/ports.ts'
import {
  scripted,
  stillClock,
  storeWith,
  type ScriptedReply,
  type RecordedRequest,
} from '#sw/testing/scripted-server.ts'
import { createTusApi } from './tus.ts'

const OWNER = '018f0000-0000-7000-8000-0000000000aa'
const ID = '018f0000-0000-7000-8000-00000000000a'
const PATH = `/upload-chunking-2/${ID}`
const SIZE = CHUNK_BYTES + 3

const at = (offset: number): ScriptedReply => ({
  status: 200,
  headers: { 'Upload-Offset': String(offset), 'Upload-Length': String(SIZE) },
})
const took = (request: RecordedRequest): ScriptedReply => {
  const offset = Number(request.headers['Upload-Offset']) + (request.body as Blob).size
  return { status: 204, headers: { 'Upload-Offset': String(offset) } }
}
const created: ScriptedReply = { status: 201, headers: { Location: PATH } }
const refusal = (status: number, code: string): ScriptedReply => ({ status, body: { error: { code } } })

/** The server has, or had, this upload. */
const begun = (acked = 0, url: string | null = null): FileState => ({ is: 'sending', upload: { acked, url } })

async function send(
  answers: ((request: RecordedRequest) => ScriptedReply | 'cut')[],
  state: FileState = { is: 'waiting' },
  given: {
    note?: OnProgress
    forget?: () => Promise<void>
    clock?: Clock
    pace?: Pace
    signal?: AbortSignal
    fetch?: Fetch
  } = {},
) {
  const { note = async () => undefined, clock = stillClock, pace = createPace() } = given
  const { signal = new AbortController().signal } = given
  const server = scripted(answers)
  const progress: unknown[] = []
  const refused: string[] = []
  const user = {
    id: OWNER,
    email: 'a@example.com',
    name: 'あおい',
    role: 'member',
    avatar_url: null,
  } as const
  const media = { id: ID, name: '海.mp4', mime: 'video/mp4', size: SIZE } as Media
  const tus = createTusApi({
    fetch: given.fetch ?? server.fetch,
    clock,
    pace,
    endpoint: 'https://todoke.test/upload-chunking-2',
    store: storeWith({
      session: async () => ({ token: 'secret', user }),
      refused: given.forget ?? (async (token) => void refused.push(token)),
      media: async () => media,
      chunk: async (_id, index) => new Blob([new Uint8Array(index === 0 ? CHUNK_BYTES : 3)]),
    }),
  })
  const job = postJob([{ id: ID, size: SIZE }], { id: ID, ownerId: OWNER })
  for (const file of job.files) file.state = state
  const onProgress: OnProgress = (it) => (progress.push(it), note(it))
  const end = await tus.send(job, ID, onProgress, signal)
  return { end, progress, server, pace, refused }
}

test('a new media is created and sent in 5 MiB chunks', async () => {
  const { end, progress, server } = await send([() => created, took, took])
  expect(end).toEqual({ is: 'ok', value: null })
  expect(server.requestLines()).toEqual(['POST /upload-chunking-2', `PATCH ${PATH}`, `PATCH ${PATH}`])
  expect(progress).toEqual([{ url: `https://todoke.test${PATH}` }, { offset: 0 }, { offset: SIZE }])
  const [post] = server.heard
  const name = Buffer.from('海.mp4').toString('base64')
  expect(post?.headers['Upload-Metadata']).toBe(
    `id ${Buffer.from(ID).toString('base64')},filename ${name},filetype ${Buffer.from('video/mp4').toString('base64')}`,
  )
  expect(post?.headers['Upload-Length']).toBe(String(SIZE))
  expect([1, 2].map((index) => server.blob(index).size)).toEqual([CHUNK_BYTES, 3])
  expect(server.heard.every((it) => it.headers['Authorization'] === 'Bearer secret')).toBe(true)
})

test('an upload is resumed, not created again, when the reply to its creation was lost', async () => {
  const exists = refusal(409, 'upload_exists')
  const { end, server } = await send([() => exists, () => at(CHUNK_BYTES), took])
  expect(end).toEqual({ is: 'ok', value: null })
  expect(server.requestLines()).toEqual(['POST /upload-chunking-2', `HEAD ${PATH}`, `PATCH ${PATH}`])
})

test('an upload that the server neither creates nor knows is tried again', async () => {
  const answers = [() => refusal(409, 'upload_exists'), () => refusal(410, 'gone')]
  expect((await send(answers)).end).toEqual({ is: 'lost' })
})

test('an error of the device’s database is thrown unchanged', async () => {
  const full = new DOMException('no room', 'QuotaExceededError')
  const note = () => Promise.reject(full)
  await expect(send([() => at(0), took, took], begun(), { note })).rejects.toBe(full)
  const forget = () => Promise.reject(full)
  await expect(send([() => refusal(401, 'unauthenticated')], begun(), { forget })).rejects.toBe(full)
})

test('after a cut inside a chunk only the rest of that chunk is sent', async () => {
  const { server } = await send([() => at(4 * MiB), took, took], begun())
  expect(server.heard[1]?.headers['Upload-Offset']).toBe(String(4 * MiB))
  expect(server.blob(1).size).toBe(MiB)
})

test('an upload that is already complete sends no byte', async () => {
  const { end, server } = await send([() => at(SIZE)], begun())
  expect(end).toEqual({ is: 'ok', value: null })
  expect(server.heard).toHaveLength(1)
})

test('an upload that the server no longer has ends the step as gone', async () => {
  const { end, server } = await send([() => refusal(404, 'not_found')], begun())
  expect(end).toEqual({ is: 'gone' })
  expect(server.heard).toHaveLength(1)
})

test('a wrong offset ends this try as lost, and the next piece is smaller', async () => {
  const { end, pace } = await send([() => at(0), () => refusal(409, 'offset_mismatch')], begun())
  expect(end).toEqual({ is: 'lost' })
  expect(pace.piece()).toBe(1.25 * MiB)
})

const strayed = (offset: number) => (): ScriptedReply => ({
  ...refusal(409, 'offset_mismatch'),
  headers: { 'Upload-Offset': String(offset) },
})

test('a wrong offset whose refusal names the right one continues there without a HEAD request', async () => {
  const { end, progress, server } = await send([() => at(0), strayed(MiB), took, took, took, took], begun())
  expect(end).toEqual({ is: 'ok', value: null })
  expect(server.requestLines()).toEqual([`HEAD ${PATH}`, ...Array.from({ length: 5 }, () => `PATCH ${PATH}`)])
  expect(server.heard.slice(1).map((it) => it.headers['Upload-Offset'])).toEqual(
    [0, MiB, 2.25 * MiB, 4.75 * MiB, 5 * MiB].map(String),
  )
  expect(progress).toEqual([{ offset: 0 }, { offset: SIZE }])
})

test('a stopped step ends after its last request, so that the lock is not free while bytes arrive', async () => {
  const stop = new AbortController()
  const patched = Promise.withResolvers<Response>()
  let patches = 0
  const fetch: Fetch = async (_url, { method }) => {
    if (method === 'PATCH') {
      patches += 1
      return patched.promise
    }
    const headers = { [RESPONSE_HEADER]: '1', 'Upload-Offset': '0', 'Upload-Length': String(SIZE) }
    return new Response(null, { status: 200, headers })
  }
  let ended = false
  const sending = send([], begun(), { signal: stop.signal, fetch })
  void sending.then(() => (ended = true))
  await expect.poll(() => patches).toBe(1)
  stop.abort()
  for (let i = 0; i < 20; i++) await new Promise(setImmediate)
  expect(ended).toBe(false)
  patched.reject(new DOMException('aborted', 'AbortError'))
  expect((await sending).end).toEqual({ is: 'stopped' })
})

test.each([
  ['again', [strayed(MiB), strayed(2 * MiB)]],
  ['with the offset that was sent', [strayed(0)]],
])('a wrong offset refused %s ends this try', async (_name, refusals) => {
  const { end, server } = await send([() => at(0), ...refusals], begun())
  expect(end).toEqual({ is: 'lost' })
  expect(server.heard).toHaveLength(1 + refusals.length)
})

describe('the device stores', () => {
  test('every offset on a slow connection, the last one of each half second on a fast one', async () => {
    const moments = (ms: number) => {
      let now = 0
      return { ...stillClock, now: () => (now += ms) }
    }
    const offsets = [0, 1.25 * MiB, 3.75 * MiB, 5 * MiB, SIZE]
    const noted = async (clock: Clock) => {
      const pace = createPace()
      pace.broke()
      const answers = [() => at(0), took, took, took, took]
      const { progress } = await send(answers, begun(), { clock, pace })
      return progress.map((it) => (it as { offset: number }).offset)
    }
    expect(await noted(moments(PROGRESS_EVERY))).toEqual(offsets)
    expect(await noted(moments(1))).toEqual([0, SIZE])
  })

  test('progress, and a failed write ends the upload with its error', async () => {
    const full = new DOMException('no room', 'QuotaExceededError')
    const note = () => Promise.reject(full)
    await expect(send([() => at(0), took, took], begun(), { note })).rejects.toThrow('no room')
  })

  test('progress while the next piece is sent, and the end of the step waits for the last write', async () => {
    const noted: (() => void)[] = []
    const note: OnProgress = () => new Promise<void>((resolve) => void noted.push(resolve))
    const last = (request: RecordedRequest): ScriptedReply => {
      // The second piece is being sent; the write of the offset before it has not ended.
      expect(noted).toHaveLength(1)
      noted[0]?.()
      return took(request)
    }
    let ended = false
    const sent = send([() => at(CHUNK_BYTES), last], begun(), { note }).finally(() => (ended = true))
    await expect.poll(() => noted.length).toBe(2)
    expect(ended).toBe(false)
    noted[1]?.()
    expect((await sent).end).toEqual({ is: 'ok', value: null })
  })
})

test.each([
  ['the connection breaks', () => 'cut' as const, { is: 'lost' }],
  ['the server is busy', () => refusal(503, 'unavailable'), { is: 'lost' }],
  ['it is too large', () => refusal(413, 'too_large'), { is: 'refused', code: 'too_large' }],
  ['it is locked', () => ({ status: 423 }), { is: 'lost' }],
  ['the token is refused', () => refusal(401, 'unauthenticated'), { is: 'signedOut', refused: true }],
])('while sending, %s', async (_name, answer, end) => {
  expect((await send([() => at(0), answer], begun())).end).toEqual(end)
})

test.each([401, 500])('a HEAD answered with %i loses no byte and creates no upload', async (status) => {
  const { server, progress } = await send([() => ({ status })], begun(100))
  expect(server.heard).toHaveLength(1)
  expect(progress).toEqual([])
})

test('the address that the server named is used again', async () => {
  const url = 'https://todoke.test/upload-chunking-2/4711'
  const { server } = await send([() => at(SIZE)], begun(0, url))
  expect(server.requestLines()).toEqual(['HEAD /upload-chunking-2/4711'])
})
