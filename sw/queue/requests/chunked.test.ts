// Sending a video by the legacy protocol, as transcripts (specification section 7).
import { expect, test } from 'vitest'
import { LEGACY_CHUNK } from '#contract/limits.ts'
import { newFile } from '#device/jobs/new-files.ts'
import { identityJob, postJob } from '#device/testing/jobs.ts'
import type { Media } from '#device/database/schema.ts'
import { createChunkedApi } from './chunked.ts'
import { byProtocol } from './queue-api.ts'
import {
  scripted,
  stillClock,
  storeWith,
  type ScriptedReply,
  type RecordedRequest,
} from '#sw/testing/scripted-server.ts'

const OWNER = '018f0000-0000-7000-8000-0000000000aa'
const ID = '018f0000-0000-7000-8000-00000000000a'
const SIZE = 2 * LEGACY_CHUNK + 3

const ok: ScriptedReply = { status: 200, body: { data: true } }
const has = (received: number): ScriptedReply => ({ status: 200, body: { data: { received } } })
const refusal = (status: number, code: string): ScriptedReply => ({ status, body: { error: { code } } })

async function send(
  answers: ((request: RecordedRequest) => ScriptedReply | 'cut')[],
  {
    acked = 0,
    name = '海.MOV',
    videoId = 'v1',
    bytes = true,
    row = true,
    broken,
    others = false,
  }: {
    acked?: number
    name?: string
    videoId?: string | null
    bytes?: boolean
    row?: boolean
    broken?: Error
    others?: boolean
  } = {},
) {
  const server = scripted(answers)
  const progress: unknown[] = []
  const user = {
    id: OWNER,
    email: 'a@example.com',
    name: 'あおい',
    role: 'member',
    avatar_url: null,
  } as const
  const chunked = createChunkedApi({
    fetch: server.fetch,
    clock: stillClock,
    api: 'https://todoke.test/api',
    store: storeWith({
      session: async () => ({ token: 'secret', user }),
      refused: async () => {},
      media: async () => (row ? ({ id: ID, name, mime: 'video/quicktime', size: SIZE } as Media) : undefined),
      range: async (_id, from, to) => {
        if (broken) throw broken
        return bytes ? new Blob([new Uint8Array(to - from)]) : undefined
      },
    }),
  })
  const stage =
    videoId === null ? ({ is: 'open' } as const) : ({ is: 'added', post: { id: 'p1', videoId } } as const)
  const more = { id: ID, ownerId: OWNER, createdAt: 1_772_681_400_000, protocol: 'chunked', stage } as const
  const job = postJob([{ id: ID, size: SIZE }], more)
  for (const file of job.files) file.state = { is: 'sending', upload: { acked, url: null } }
  if (others) job.files.unshift(newFile({ id: OWNER, size: SIZE }))
  const end = await chunked.send(job, ID, async (it) => void progress.push(it), new AbortController().signal)
  const sentForms = server.heard.map((_, i) =>
    Object.fromEntries([...server.form(i)].map(([key, it]) => [key, it instanceof File ? it.size : it])),
  )
  return { end, progress, server, sentForms }
}

test('a video is sent in 6,291,456-byte chunks, one after the other, each with its number and the count', async () => {
  const { end, progress, server, sentForms } = await send([() => ok, () => ok, () => ok])
  expect(end).toEqual({ is: 'ok', value: null })
  expect(server.requestLines()).toEqual(Array.from({ length: 3 }, () => 'POST /api/post/upload-chunking'))
  const name = { file_id: 'v1', file_name: 'video-1772681400000.mov', chunks: '3' }
  expect(sentForms).toEqual([
    { ...name, chunk: '0', file: 6_291_456 },
    { ...name, chunk: '1', file: 6_291_456 },
    { ...name, chunk: '2', file: 3 },
  ])
  expect(progress).toEqual([{ offset: LEGACY_CHUNK }, { offset: 2 * LEGACY_CHUNK }, { offset: SIZE }])
})

test('after a cut only the chunk that was being sent is sent again', async () => {
  const { end, progress } = await send([() => ok, () => 'cut'])
  expect(end).toEqual({ is: 'lost' })
  expect(progress).toEqual([{ offset: LEGACY_CHUNK }])
  const resumed = await send([() => ok, () => ok], { acked: LEGACY_CHUNK })
  expect(resumed.sentForms.map((form) => form['chunk'])).toEqual(['1', '2'])
})

test('a chunk that was sent in part is sent again whole', async () => {
  const { sentForms } = await send([() => ok, () => ok], { acked: LEGACY_CHUNK + 5 })
  expect(sentForms.map((form) => form['chunk'])).toEqual(['1', '2'])
})

test('sending continues after the number of chunks that the server reports', async () => {
  const { sentForms, progress } = await send([() => has(2), () => has(3)])
  expect(sentForms.map((form) => form['chunk'])).toEqual(['0', '2'])
  expect(progress.at(-1)).toEqual({ offset: SIZE })
})

test('a file whose name has no extension is named as an MP4', async () => {
  const { sentForms } = await send([() => refusal(413, 'too_large')], { name: '海' })
  expect(sentForms[0]?.['file_name']).toBe('video-1772681400000.mp4')
})

test.each([
  ['more chunks than there are', has(7), SIZE],
  ['no chunk yet', has(0), 0],
])('a server that reports %s: %j', async (_name, answer, offset) => {
  const { progress, sentForms } = await send([() => answer, () => refusal(413, 'too_large')])
  expect(progress).toEqual([{ offset }])
  expect(sentForms.map((form) => form['chunk'])).toEqual(offset === 0 ? ['0', '0'] : ['0'])
})

test.each([{ received: -1 }, { received: 1.5 }, { received: '2' }])(
  'an answer that names %j only confirms this chunk',
  async (data) => {
    const answer = (): ScriptedReply => ({ status: 200, body: { data } })
    const { progress } = await send([answer, () => refusal(413, 'too_large')])
    expect(progress).toEqual([{ offset: LEGACY_CHUNK }])
  },
)

test('in a job with other files the video resumes at its own offset', async () => {
  const { sentForms } = await send([() => ok], { acked: 2 * LEGACY_CHUNK, others: true })
  expect(sentForms.map((form) => form['chunk'])).toEqual(['2'])
})

test('an error of the device’s database is passed on and does not end the step', async () => {
  const broken = new DOMException('no database', 'InvalidStateError')
  await expect(send([], { broken })).rejects.toBe(broken)
})

test('chunks are sent again from the first when the server has fewer than recorded', async () => {
  const { end, progress } = await send([() => refusal(409, 'chunk_out_of_order')], { acked: LEGACY_CHUNK })
  expect(end).toEqual({ is: 'lost' })
  expect(progress).toEqual([{ offset: 0 }])
})

test('a chunk of a post that is released already ends the step as sent, and the release confirms it', async () => {
  const { end, progress } = await send([() => refusal(409, 'conflict')], { acked: 2 * LEGACY_CHUNK })
  expect(end).toEqual({ is: 'ok', value: null })
  expect(progress).toEqual([{ offset: SIZE }])
})

test.each([
  [404, 'not_found', { is: 'gone' }],
  [410, 'gone', { is: 'gone' }],
  [401, 'unauthenticated', { is: 'signedOut', refused: true }],
  [413, 'too_large', { is: 'refused', code: 'too_large' }],
  [503, 'unavailable', { is: 'lost' }],
])('an answer %i %s ends the step with its meaning', async (status, code, end) => {
  expect((await send([() => refusal(status, code)])).end).toEqual(end)
})

test('a post without a video id fails the step', async () => {
  expect((await send([], { videoId: null })).end).toEqual({ is: 'refused', code: 'no_post_id' })
})

test('a video without bytes on the device is not sent', async () => {
  expect((await send([], { bytes: false })).end).toEqual({ is: 'refused', code: 'bytes_missing' })
  expect((await send([], { row: false })).end).toEqual({ is: 'refused', code: 'bytes_missing' })
})

test('a job is sent by its own protocol, and chunks need no removal', async () => {
  const sent: string[] = []
  const sender = (name: string) => ({
    send: async () => (sent.push(`${name} send`), { is: 'ok', value: null } as const),
    discard: async () => (sent.push(`${name} discard`), { is: 'ok', value: null } as const),
  })
  const api = byProtocol(sender('tus'), sender('chunked'), {} as never)
  for (const protocol of ['tus', 'chunked'] as const) {
    const job = postJob([], { protocol })
    const { signal } = new AbortController()
    await api.send(job, ID, async () => undefined, signal)
    await api.discard(job, ID, signal)
  }
  const check = identityJob()
  await api.send(check, ID, async () => undefined, new AbortController().signal)
  expect(sent).toEqual(['tus send', 'tus discard', 'chunked send', 'chunked discard', 'tus send'])
  const chunked = createChunkedApi({} as never)
  expect(await chunked.discard(postJob(), ID, new AbortController().signal)).toEqual({
    is: 'ok',
    value: null,
  })
})
