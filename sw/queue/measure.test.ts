// Measurements of the connection, as transcripts: no post is made and no upload remains.
import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import { TUS_CHUNK } from '#contract/limits.ts'
import { measure, type MeasureProgress } from './measure.ts'
import type { Clock } from './ports.ts'
import { scripted, type ScriptedReply, type RecordedRequest } from '#sw/testing/scripted-server.ts'

const OWNER = '018f0000-0000-7000-8000-0000000000aa'
const SIZE = TUS_CHUNK + 3
const took = (request: RecordedRequest): ScriptedReply => {
  const offset = Number(request.headers['Upload-Offset']) + (request.body as Blob).size
  return { status: 204, headers: { 'Upload-Offset': String(offset) } }
}
const unknown = (): ScriptedReply => ({ status: 404, body: { error: { code: 'not_found' } } })
const at = (offset: number) => (): ScriptedReply => ({
  status: 200,
  headers: { 'Upload-Offset': String(offset), 'Upload-Length': String(SIZE) },
})
const created = (): ScriptedReply => ({ status: 201, headers: { Location: '/upload-chunking-2/here' } })
const removed = (): ScriptedReply => ({ status: 204 })

/** Time passes at once; a request's deadline cannot harm an answer that is there already. */
function quickClock(): Clock {
  let now = 1_000_000
  return {
    now: () => now,
    random: () => 0,
    sleep: async (until) => {
      now = Math.max(now, until)
    },
  }
}

async function run(
  answers: Parameters<typeof scripted>[0],
  stop?: AbortController,
  isSignedIn: () => boolean = () => true,
) {
  const server = scripted(answers)
  const seen: MeasureProgress[] = []
  const refused: string[] = []
  const bytes = new Uint8Array(SIZE).map((_, i) => i % 251)
  const { signal } = stop ?? new AbortController()
  const user = {
    id: OWNER,
    email: 'a@example.com',
    name: 'あおい',
    role: 'member',
    avatar_url: null,
  } as const
  const end = await measure(
    {
      fetch: server.fetch,
      clock: quickClock(),
      endpoint: 'https://todoke.test/upload-chunking-2',
      ownerId: OWNER,
      store: {
        session: async () => (isSignedIn() ? { token: 'secret', user } : undefined),
        refused: async (token) => void refused.push(token),
      },
    },
    new Blob([bytes]),
    (progress) => {
      seen.push(progress)
      if (progress.sent > 0) stop?.abort()
    },
    signal,
  )
  expect(getEventListeners(signal, 'abort'), 'none is left').toEqual([])
  return { end, seen, refused, bytes, requests: server.heard, methods: server.heard.map((it) => it.method) }
}

test('bytes are sent in pieces, with progress reports, and removed; no post is requested', async () => {
  const { end, seen, methods, requests, bytes } = await run([created, took, took, removed])
  const sent = requests.flatMap(({ method, body }) => (method === 'PATCH' ? [body as Blob] : []))
  expect(Buffer.from(await new Blob(sent).arrayBuffer()).equals(bytes)).toBe(true)
  expect(methods).toEqual(['POST', 'PATCH', 'PATCH', 'DELETE'])
  expect(end).toMatchObject({ is: 'done', sent: SIZE, retries: 0, removed: true })
  expect(seen.map((it) => it.sent)).toEqual([0, 0, TUS_CHUNK, SIZE])
})

test('a cut is counted, and only the bytes that the server lacks are sent again', async () => {
  const { end, seen, methods } = await run([created, took, () => 'cut', at(TUS_CHUNK), took, removed])
  expect(seen.map((it) => it.retries)).toEqual([0, 0, 0, 1, 1, 1])
  expect(methods).toEqual(['POST', 'PATCH', 'PATCH', 'HEAD', 'PATCH', 'DELETE'])
  expect(end).toMatchObject({ is: 'done', sent: SIZE, retries: 1, removed: true })
})

test('a cut that only the server has seen is counted once', async () => {
  const refused = (): ScriptedReply => ({
    status: 409,
    headers: { 'Upload-Offset': String(TUS_CHUNK + 1) },
    body: { error: { code: 'offset_mismatch' } },
  })
  const { end, methods } = await run([created, took, refused, took, removed])
  expect(methods).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH', 'DELETE'])
  expect(end).toMatchObject({ is: 'done', sent: SIZE, retries: 1, removed: true })
})

test('stopping in the middle removes what was sent', async () => {
  const { end, seen, methods } = await run([created, took, removed], new AbortController())
  expect(seen.map((it) => it.sent)).toEqual([0, 0, TUS_CHUNK])
  expect(methods.at(-1)).toBe('DELETE')
  expect(end).toMatchObject({ is: 'stopped', sent: TUS_CHUNK, removed: true })
})

test('a measurement of a server that does not answer fails, and reports that no bytes were removed', async () => {
  const { end, methods } = await run(Array.from({ length: 6 }, () => () => 'cut'))
  expect(methods).toEqual(['POST', 'POST', 'POST', 'POST', 'POST', 'DELETE'])
  expect(end).toMatchObject({ is: 'failed', sent: 0, retries: 5, removed: false })
})

test('the upload is named as a test', async () => {
  const { requests } = await run([created, took, took, removed])
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  expect(requests[0]?.headers['Upload-Metadata']).toContain(
    `filename ${encoded('test.bin')},filetype ${encoded('application/octet-stream')}`,
  )
  expect(requests[0]?.headers['Upload-Length']).toBe(String(SIZE))
  expect(requests.map((it) => it.path).slice(1)).toEqual(
    Array.from({ length: 3 }, () => '/upload-chunking-2/here'),
  )
})

test('a measurement that is stopped before it begins sends only the removal', async () => {
  const stop = new AbortController()
  stop.abort()
  const { end, methods } = await run([unknown], stop)
  expect(methods).toEqual(['DELETE'])
  expect(end).toMatchObject({ is: 'stopped', sent: 0, retries: 0, removed: true })
})

test('a refused token ends the measurement as signed out', async () => {
  const refusal = (): ScriptedReply => ({ status: 401, body: { error: { code: 'unauthenticated' } } })
  const { end, refused } = await run([created, refusal, refusal])
  expect(refused).toEqual(['secret', 'secret'])
  expect(end).toMatchObject({ is: 'signedOut', sent: 0, removed: false })
})

test('a refusal is not tried again', async () => {
  const { end } = await run([() => ({ status: 413, body: { error: { code: 'too_large' } } }), unknown])
  expect(end).toMatchObject({ is: 'failed', retries: 0, removed: true })
})

test.each([
  ['before it begins', 0, []],
  ['between two requests', 2, ['POST']],
] as const)(
  'a measurement whose person signed out %s ends as signed out, not as failed',
  async (_name, after, methods) => {
    let reads = 0
    const signedIn = () => reads++ < after
    const measured = await run([unknown], undefined, signedIn)
    expect(measured.end).toMatchObject({ is: 'signedOut', sent: 0, removed: false })
    expect(measured.methods).toEqual(methods)
  },
)

/** Answers to many smaller pieces, and to the removal after them. */
const rest = Array.from(
  { length: 40 },
  () => (request: RecordedRequest) => (request.method === 'DELETE' ? removed() : took(request)),
)

test('a wait that the server requests belongs to the measured time, as do the waits of the queue', async () => {
  const busy = (headers: Record<string, string>) => (): ScriptedReply => ({
    status: 503,
    headers,
    body: { error: { code: 'unavailable' } },
  })
  const plain = await run([created, ...rest])
  const requested = await run([busy({ 'Retry-After': '60' }), created, ...rest])
  const own = await run([busy({}), busy({}), created, ...rest])
  const [reply, wait] = [5000, 1000]
  expect(plain.end.ms).toBe(34_000)
  expect(requested.end.ms - plain.end.ms).toBe(reply + 60_000)
  expect(own.end.ms - plain.end.ms).toBe(2 * reply + wait)
})

test('bytes that the server has lost are sent again from the first', async () => {
  const lost = [created, took, () => 'cut' as const, unknown]
  const { end, methods } = await run([...lost, created, ...rest])
  expect(methods.slice(0, 6).join(' ')).toBe('POST PATCH PATCH HEAD POST PATCH')
  expect(end).toMatchObject({ is: 'done', sent: SIZE, retries: 2, removed: true })
})

test('a cut that the server has seen twice in a row is counted twice', async () => {
  const refused = (offset: number) => (): ScriptedReply => ({
    status: 409,
    headers: { 'Upload-Offset': String(offset) },
    body: { error: { code: 'offset_mismatch' } },
  })
  const { end } = await run([created, refused(1), refused(2), at(2), ...rest])
  expect(end).toMatchObject({ is: 'done', sent: SIZE, retries: 2, removed: true })
})

test('a refusal is logged with a code', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await run([() => ({ status: 413, body: { error: { code: 'too_large' } } }), unknown])
  expect(log.mock.calls.map(([, , code]) => code as unknown)).toEqual(['internal'])
  log.mockRestore()
})
