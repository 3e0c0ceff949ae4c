// Sending a media as numbered parts, two requests at a time.
import { expect, test } from 'vitest'
import { RESPONSE_HEADER } from '#contract/response.ts'
import { MiB } from '#contract/limits.ts'
import { defined } from '#contract/testing/defined.ts'
import { PART_BYTES, PARTS_HEADER } from '#contract/uploads/parts.ts'
import type { Media } from '#device/database/schema.ts'
import { createPace, type Pace } from '#sw/queue/pace.ts'
import type { Fetch, OnProgress } from '#sw/queue/ports.ts'
import { FILE, neverAborted, user, withFile } from '#sw/testing/queue-calls.ts'
import { stillClock, storeWith } from '#sw/testing/scripted-server.ts'
import { createTusApi } from './tus.ts'

/** Three whole parts and a short one. */
const SIZE = 3 * PART_BYTES + 7
const SIZES = [PART_BYTES, PART_BYTES, PART_BYTES, 7]

interface Sent {
  readonly method: string
  readonly path: string
  readonly from: number
  readonly bytes: number
}

type Reply = { status: number; headers?: Record<string, string>; body?: unknown; foreign?: true } | 'cut'

/** What a server that takes parts replies. */
function ownReplies(stored: number[], announced: string): (sent: Sent) => Reply {
  const announcement = { [PARTS_HEADER]: announced }
  let isKnown = stored.some((it) => it > 0)

  function storePiece({ path, from, bytes }: Sent): Reply {
    const no = Number(path.split('/').at(-1))
    const before = defined(stored[no - 1])
    const isExpected = from === before
    if (isExpected) stored[no - 1] = before + bytes
    const headers = { 'Upload-Offset': String(stored[no - 1]) }
    return isExpected
      ? { status: 204, headers }
      : { status: 409, headers, body: { error: { code: 'offset_mismatch' } } }
  }

  return (sent) => {
    switch (sent.method) {
      case 'HEAD':
        return isKnown
          ? { status: 200, headers: { 'Upload-Offset': '0', 'Upload-Length': String(SIZE), ...announcement } }
          : { status: 404 }
      case 'POST':
        isKnown = true
        return { status: 201, headers: { Location: `/upload-chunking-2/${FILE}`, ...announcement } }
      case 'GET':
        return { status: 200, body: { length: SIZE, finished: false, stored: [...stored] } }
      case 'PATCH':
        return { status: 204, headers: { 'Upload-Offset': String(sent.from + sent.bytes) } }
      default:
        return storePiece(sent)
    }
  }
}

const sentBy = (url: string, { method = 'GET', headers, body }: RequestInit): Sent => ({
  method,
  path: new URL(url).pathname.replace(`/upload-chunking-2/${FILE}`, ''),
  from: Number(new Headers(headers).get('Upload-Offset')),
  bytes: body instanceof Blob ? body.size : 0,
})

/** Rejects when the request is aborted. */
function abortOf({ signal }: RequestInit): Promise<never> {
  const aborted = Promise.withResolvers<never>()
  signal?.addEventListener('abort', () => aborted.reject(new DOMException('aborted', 'AbortError')))
  // It is not awaited by requests that are answered at once.
  aborted.promise.catch(() => undefined)
  return aborted.promise
}

/** A server that takes parts; `reply` may give another reply than its own, or wait. */
function partsServer(
  stored = [0, 0, 0, 0],
  reply: (sent: Sent) => Reply | undefined | Promise<Reply | undefined> = () => undefined,
  announced = String(PART_BYTES),
) {
  const own = ownReplies(stored, announced)
  const sent: Sent[] = []
  const under = new Set<Sent>()
  const counts = { most: 0, sameParts: 0 }
  const fetch: Fetch = async (url, init) => {
    const it = sentBy(url, init)
    const aborted = abortOf(init)
    sent.push(it)
    if ([...under].some(({ path }) => path === it.path)) counts.sameParts++
    under.add(it)
    counts.most = Math.max(counts.most, under.size)
    try {
      // Two requests are under way before the first is answered.
      await new Promise((resolve) => setImmediate(resolve))
      const answer = (await Promise.race([reply(it), aborted])) ?? own(it)
      if (answer === 'cut') throw new TypeError('network')
      const mark = answer.foreign ? {} : { [RESPONSE_HEADER]: '1' }
      const text = answer.body === undefined ? null : JSON.stringify(answer.body)
      return new Response(text, { status: answer.status, headers: { ...mark, ...answer.headers } })
    } finally {
      under.delete(it)
    }
  }
  return {
    fetch,
    stored,
    sent,
    counts,
    underWay: () => under.size,
    parts: () => sent.filter((it) => it.method === 'PUT'),
    lines: () => sent.map(({ method, path }) => `${method} ${path}`),
  }
}

type Server = ReturnType<typeof partsServer>

async function send(
  server: Server,
  given: { pace?: Pace; signal?: AbortSignal; isNew?: boolean; size?: number } = {},
) {
  const size = given.size ?? SIZE
  const progress: unknown[] = []
  const refused: unknown[] = []
  const tus = createTusApi({
    fetch: server.fetch,
    clock: stillClock,
    pace: given.pace ?? createPace(),
    endpoint: 'https://todoke.test/upload-chunking-2',
    store: storeWith({
      session: async () => ({ token: 'secret', user }),
      refused: async (...all) => void refused.push(all),
      media: async () => ({ id: FILE, name: 'a.mp4', mime: 'video/mp4', size }) as Media,
      chunk: async (_id, index) => new Blob([new Uint8Array(defined(SIZES[index]))]),
    }),
  })
  const job = withFile({ size, ...(given.isNew && { state: { is: 'waiting' as const } }) })
  const onProgress: OnProgress = async (it) => void progress.push(it)
  const end = await tus.send(job, FILE, onProgress, given.signal ?? neverAborted)
  return { end, progress, refused, underWay: server.underWay() }
}

const refusal = (status: number, code: string): Reply => ({ status, body: { error: { code } } })
const done = { is: 'ok', value: null }

test('a new file goes out as parts, two at a time, and never two requests for one part', async () => {
  const server = partsServer()
  const { end, progress } = await send(server, { isNew: true })
  expect(end).toEqual(done)
  expect(server.lines()[0]).toBe('POST /upload-chunking-2')
  expect(server.lines()).not.toContain('GET /parts')
  expect([server.stored, server.counts]).toEqual([SIZES, { most: 2, sameParts: 0 }])
  expect(progress).toEqual([
    { url: `https://todoke.test/upload-chunking-2/${FILE}` },
    { offset: 0 },
    { offset: SIZE },
  ])
})

test('the second lane begins with a quarter of a piece, so that the lanes do not wait for replies together', async () => {
  const server = partsServer()
  await send(server, { isNew: true })
  const first = server.parts().slice(0, 2)
  expect(first.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['/parts/1', PART_BYTES],
    ['/parts/2', PART_BYTES / 4],
  ])
})

test('of a begun upload only the bytes are sent that the server lacks', async () => {
  const server = partsServer([PART_BYTES, 2 * MiB, 0, 7])
  const { end, progress } = await send(server)
  expect(end).toEqual(done)
  expect(server.lines().slice(0, 2)).toEqual(['HEAD ', 'GET /parts'])
  expect(server.parts().map(({ path, from }) => [path, from])).toContainEqual(['/parts/2', 2 * MiB])
  expect(server.parts().reduce((sum, it) => sum + it.bytes, 0)).toBe(SIZE - PART_BYTES - 2 * MiB - 7)
  // The offset of HEAD is where the first gap begins: recorded, it would take progress back.
  expect(progress).toEqual([{ offset: PART_BYTES + 2 * MiB + 7 }, { offset: SIZE }])
})

test('pieces are as long as the pace says', async () => {
  const server = partsServer()
  const pace: Pace = { piece: () => 2 * MiB, went: () => {}, broke: () => {} }
  await send(server, { isNew: true, pace })
  const ofFirst = server.parts().filter(({ path }) => path === '/parts/1')
  expect(ofFirst.map(({ from, bytes }) => [from, bytes])).toEqual([
    [0, 2 * MiB],
    [2 * MiB, 2 * MiB],
    [4 * MiB, MiB],
  ])
})

test.each([
  ['a file of one part', PART_BYTES, String(PART_BYTES)],
  ['parts of another size', SIZE, String(PART_BYTES / 2)],
])('%s goes by PATCH', async (_name, size, announced) => {
  const server = partsServer(undefined, undefined, announced)
  const { end } = await send(server, { isNew: true, size })
  expect(end).toEqual(done)
  expect(new Set(server.sent.map((it) => it.method))).toEqual(new Set(['POST', 'PATCH']))
})

test('when one lane is cut the other one ends too, and the step ends with the last request', async () => {
  const server = partsServer(undefined, ({ path }) =>
    path === '/parts/1' ? 'cut' : path === '/parts/2' ? new Promise(() => {}) : undefined,
  )
  const { end, underWay } = await send(server, { isNew: true })
  expect([end, underWay]).toEqual([{ is: 'lost' }, 0])
  expect(server.parts()).toHaveLength(2)
})

test('a step that is stopped ends when both of its requests have', async () => {
  const stop = new AbortController()
  const server = partsServer(undefined, ({ method }) => {
    if (method !== 'PUT') return undefined
    if (server.underWay() === 2) stop.abort()
    return new Promise(() => {})
  })
  const { end, underWay } = await send(server, { isNew: true, signal: stop.signal })
  expect([end, underWay, server.parts().length]).toEqual([{ is: 'stopped' }, 0, 2])
})

test('a piece at an offset that the server no longer expects is followed by one at the right offset', async () => {
  let times = 0
  const server = partsServer(undefined, ({ path }) => {
    if (path !== '/parts/1' || times++ > 0) return undefined
    // The browser has repeated the request by itself: its first bytes have arrived.
    server.stored[0] = MiB
    return undefined
  })
  const { end } = await send(server, { isNew: true })
  expect(end).toEqual(done)
  expect(server.parts().filter((it) => it.path === '/parts/1' && it.from <= MiB)).toMatchObject([
    { from: 0 },
    { from: MiB },
  ])
})

test('the second wrong offset in a row ends the step as lost', async () => {
  let stored = 0
  const server = partsServer(undefined, ({ path }) =>
    path === '/parts/1'
      ? {
          status: 409,
          headers: { 'Upload-Offset': String((stored += MiB)) },
          body: { error: { code: 'offset_mismatch' } },
        }
      : undefined,
  )
  expect((await send(server, { isNew: true })).end).toEqual({ is: 'lost' })
})

test.each([
  [
    'a session that ended',
    refusal(401, 'unauthenticated'),
    { is: 'signedOut', refused: true },
    [['secret', undefined]],
  ],
  [
    'a suspended account',
    refusal(403, 'suspended'),
    { is: 'signedOut', refused: true, closed: 'suspended' },
    [['secret', 'suspended']],
  ],
  ['a full server', refusal(507, 'storage_full'), { is: 'lost', why: 'storage_full' }, []],
  ['a refusal', refusal(413, 'too_large'), { is: 'refused', code: 'too_large' }, []],
  // The next try asks for the upload: a server from before parts has no such address.
  ['a part that is not found', refusal(404, 'not_found'), { is: 'lost' }, []],
  ['the reply of another server', { status: 401, foreign: true }, { is: 'lost', why: 'foreign' }, []],
  [
    'an offset beyond what was sent',
    { status: 204, headers: { 'Upload-Offset': String(PART_BYTES + 1) } },
    { is: 'lost', why: 'foreign' },
    [],
  ],
  ['a success without an offset', { status: 204 }, { is: 'lost', why: 'foreign' }, []],
] satisfies [string, Reply, unknown, unknown[]][])(
  'the reply to a part ends the step: %s',
  async (_name, reply, expected, deleted) => {
    const server = partsServer(undefined, ({ path }) => (path === '/parts/1' ? reply : undefined))
    const { end, refused } = await send(server, { isNew: true })
    expect([end, refused]).toEqual([expected, deleted])
  },
)

test.each([
  ['another length', { length: SIZE + 1, finished: false, stored: [0, 0, 0, 0] }],
  ['too few parts', { length: SIZE, finished: false, stored: [0, 0, 0] }],
  ['more bytes than a part has', { length: SIZE, finished: false, stored: [0, 0, 0, 8] }],
  ['a negative number', { length: SIZE, finished: false, stored: [-1, 0, 0, 0] }],
  ['another reply', { data: [] }],
])('stored parts that cannot be count as no reply: %s', async (_name, body) => {
  const server = partsServer([MiB, 0, 0, 0], ({ method }) =>
    method === 'GET' ? { status: 200, body } : undefined,
  )
  expect((await send(server)).end).toEqual({ is: 'lost', why: 'foreign' })
  expect(server.parts()).toEqual([])
})

test('a stored chunk that is shorter than its part is refused, not sent', async () => {
  const server = partsServer(undefined, undefined)
  const { end } = await send(server, { isNew: true, size: SIZE + 1 })
  expect(end).toEqual({ is: 'refused', code: 'bytes_missing' })
})

test('pieces tell the pace how they went, and a cut makes the next ones smaller', async () => {
  const went: number[] = []
  let broken = 0
  const pace: Pace = {
    piece: () => PART_BYTES,
    went: (bytes) => void went.push(bytes),
    broke: () => void broken++,
  }
  const server = partsServer()
  await send(server, { isNew: true, pace })
  expect([went.reduce((sum, it) => sum + it, 0), broken]).toEqual([SIZE, 0])
  const cut = partsServer(undefined, ({ path }) => (path === '/parts/1' ? 'cut' : undefined))
  await send(cut, { isNew: true, pace })
  expect(broken).toBe(1)
})
