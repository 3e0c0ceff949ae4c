// An upload that the browser carries: the queue follows it, and sends what is left.
import { expect, test } from 'vitest'
import { RESPONSE_HEADER } from '#contract/response.ts'
import { defined } from '#contract/testing/defined.ts'
import { PART_BYTES, PARTS_HEADER } from '#contract/uploads/parts.ts'
import type { Media } from '#device/database/schema.ts'
import { createPace } from '#sw/queue/pace.ts'
import type { Clock, Fetch } from '#sw/queue/ports.ts'
import { FILE, neverAborted, user, withFile } from '#sw/testing/queue-calls.ts'
import { storeWith } from '#sw/testing/scripted-server.ts'
import { STALLED_MS } from './carried.ts'
import { createTusApi } from './tus.ts'

const SIZES = [PART_BYTES, PART_BYTES, PART_BYTES, 7]
const SIZE = SIZES.reduce((sum, it) => sum + it, 0)

/** A clock whose sleeps end at once, at their time. */
function quickClock(): Clock {
  let now = 0
  return {
    now: () => now,
    random: () => 0,
    sleep: async (until, signal) => {
      // A deadline of a request does not pass: it ends with its reply.
      if (until - now > 4000)
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      now = Math.max(now, until)
    },
  }
}

interface Given {
  /** What the server has of each part. */
  stored?: number[]
  /** Whether the browser carries the upload, at each question. */
  carrying: (asked: number, stored: number[]) => boolean
  signal?: AbortSignal
  status?: number
}

async function send({ stored = [0, 0, 0, 0], carrying, signal = neverAborted, status }: Given) {
  const lines: string[] = []
  const progress: unknown[] = []
  const fetch: Fetch = async (url, { method = 'GET', headers, body }) => {
    const path = new URL(url).pathname.replace(`/upload-chunking-2/${FILE}`, '')
    lines.push(`${method} ${path}`)
    const offset = stored.every((it, i) => it === SIZES[i]) ? SIZE : 0
    const mark = { [RESPONSE_HEADER]: '1' }
    if (status !== undefined)
      return Response.json({ error: { code: 'unauthenticated' } }, { status, headers: mark })
    if (method === 'HEAD')
      return new Response(null, {
        headers: {
          ...mark,
          'Upload-Offset': String(offset),
          'Upload-Length': String(SIZE),
          [PARTS_HEADER]: String(PART_BYTES),
        },
      })
    if (method === 'GET') return Response.json({ length: SIZE, finished: false, stored }, { headers: mark })
    const no = Number(path.split('/').at(-1))
    stored[no - 1] = Number(new Headers(headers).get('Upload-Offset')) + (body as Blob).size
    return new Response(null, { status: 204, headers: { ...mark, 'Upload-Offset': String(stored[no - 1]) } })
  }
  let asked = 0
  const tus = createTusApi({
    fetch,
    clock: quickClock(),
    pace: createPace(),
    endpoint: 'https://todoke.test/upload-chunking-2',
    carrier: { isCarrying: async () => carrying(asked++, stored) },
    store: storeWith({
      session: async () => ({ token: 'secret', user }),
      refused: async () => undefined,
      media: async () => ({ id: FILE, name: 'a.mp4', mime: 'video/mp4', size: SIZE }) as Media,
      chunk: async (_id, index) => new Blob([new Uint8Array(defined(SIZES[index]))]),
    }),
  })
  const end = await tus.send(withFile({ size: SIZE }), FILE, async (it) => void progress.push(it), signal)
  return { end, lines, progress, sent: lines.filter((it) => it.startsWith('PUT')) }
}

const done = { is: 'ok', value: null }

test('while the browser carries an upload the queue sends nothing, and reports what the server has', async () => {
  const { end, sent, progress } = await send({
    carrying: (asked, stored) => {
      if (asked > 0) stored.splice(0, asked, ...SIZES.slice(0, asked))
      return asked < 4
    },
  })
  expect([end, sent]).toEqual([done, []])
  expect(progress).toEqual([
    { offset: 0 },
    { offset: PART_BYTES },
    { offset: 2 * PART_BYTES },
    { offset: 3 * PART_BYTES },
    { offset: SIZE },
  ])
})

test('what the browser has not sent is sent by the queue when the browser has ended', async () => {
  const { end, sent } = await send({
    stored: [PART_BYTES, 0, PART_BYTES, 7],
    carrying: (asked) => asked < 2,
  })
  expect(end).toEqual(done)
  expect(new Set(sent)).toEqual(new Set(['PUT /parts/2']))
})

test('an upload that the browser begins to carry is left to it after the parts under way', async () => {
  const { end, sent, lines } = await send({
    // Not at the beginning and for the first two parts, then for a while.
    carrying: (asked, stored) => {
      if (asked === 5) stored.splice(0, 4, ...SIZES)
      return asked > 2 && asked < 6
    },
  })
  expect(end).toEqual(done)
  expect(sent.every((it) => it === 'PUT /parts/1' || it === 'PUT /parts/2')).toBe(true)
  expect(lines.at(-1)).toBe('HEAD ')
})

test('when nothing arrives for a minute the queue sends beside the browser, from the last part on', async () => {
  const { end, sent, lines } = await send({ carrying: () => true })
  expect(end).toEqual(done)
  // Every three seconds from the first moment on, and once more before sending.
  expect(lines.filter((it) => it === 'GET /parts')).toHaveLength(STALLED_MS / 3000 + 2)
  expect(sent.slice(0, 2)).toEqual(['PUT /parts/4', 'PUT /parts/3'])
})

test('a step that is stopped or whose session has ended follows the browser no longer', async () => {
  expect((await send({ carrying: () => true, signal: AbortSignal.abort() })).end).toEqual({ is: 'stopped' })
  expect((await send({ carrying: () => true, status: 401 })).end).toEqual({ is: 'signedOut', refused: true })
})
