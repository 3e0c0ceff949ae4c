// Handing an upload over to the browser.
import { expect, test } from 'vitest'
import { HAND_OVER_BYTES } from '#contract/limits.ts'
import { RESPONSE_HEADER } from '#contract/response.ts'
import { PART_BYTES } from '#contract/uploads/parts.ts'
import type { Chunk, Media } from '#device/database/schema.ts'
import type { BackgroundFetch, BackgroundFetches } from '#sw/queue/carrier.ts'
import type { Fetch } from '#sw/queue/ports.ts'
import { FILE, neverAborted, user, withFile } from '#sw/testing/queue-calls.ts'
import { stillClock, storeWith } from '#sw/testing/scripted-server.ts'
import { handOver } from './hand-over.ts'

const PARTS = 30
const SIZE = PARTS * PART_BYTES
const url = `https://todoke.test/upload-chunking-2/${FILE}`
const whole = (count: number) => Array.from({ length: PARTS }, (_, i) => (i < count ? PART_BYTES : 0))

interface Given {
  stored?: number[]
  running?: BackgroundFetch
  refusal?: Error
  /** Status of the reply to the request for a capability. */
  status?: number
  hasChunks?: boolean
}

async function hand({ stored = whole(0), running, refusal, status = 200, hasChunks = true }: Given) {
  const lists: { id: string; requests: readonly Request[]; options: unknown }[] = []
  const authorized: (string | null)[] = []
  const fetches: BackgroundFetches = {
    get: async () => running,
    fetch: async (id, requests, options) => {
      if (refusal) throw refusal
      lists.push({ id, requests, options })
      return { id, result: '' }
    },
  }
  const fetch: Fetch = async (address, { method, headers }) => {
    authorized.push(new Headers(headers).get('Authorization'))
    const mark = { [RESPONSE_HEADER]: '1' }
    if (method === 'GET') return Response.json({ length: SIZE, finished: false, stored }, { headers: mark })
    expect([method, address]).toEqual(['POST', `${url}/capability`])
    const body = status === 200 ? { capability: 'session.mac' } : { error: { code: 'unavailable' } }
    return Response.json(body, { status, headers: mark })
  }
  const chunk = { mediaId: FILE, index: 0, size: 3, sha256: new Uint8Array(32).fill(1) }
  const end = await handOver(
    {
      fetch,
      clock: stillClock,
      store: storeWith({ session: async () => ({ token: 'secret', user }) }),
      fetches,
      readChunk: async (_id, index): Promise<Chunk | undefined> =>
        hasChunks ? { ...chunk, bytes: new Blob([`part ${index + 1}`]) } : undefined,
    },
    { job: withFile({ size: SIZE }), media: { id: FILE, size: SIZE } as Media, url, title: '題' },
    neverAborted,
  )
  return { end, list: lists[0], authorized }
}

test('what the server lacks goes to the browser in one list, with a capability and a digest for each part', async () => {
  const { end, list, authorized } = await hand({ stored: whole(2) })
  expect(end).toBe('handed')
  expect(authorized).toEqual(['Bearer secret', 'Bearer secret'])
  expect(list?.id).toBe(`upload ${FILE}`)
  expect(list?.options).toMatchObject({ title: '題', downloadTotal: SIZE - 2 * PART_BYTES })
  expect(list?.requests).toHaveLength(PARTS - 2)
  for (const request of list?.requests ?? []) {
    expect([request.method, request.credentials]).toEqual(['PUT', 'omit'])
    expect(Object.fromEntries(request.headers)).toEqual({
      authorization: 'Upload session.mac',
      'content-type': 'application/offset+octet-stream',
      'content-digest': `sha-256=:${Buffer.from(new Uint8Array(32).fill(1)).toString('base64')}:`,
    })
    expect(await request.text()).toBe(`part ${request.url.split('/').at(-1)}`)
  }
})

test('the parts that the queue may be sending come last', async () => {
  const { list } = await hand({ stored: whole(1) })
  const numbers = (list?.requests ?? []).map((it) => Number(it.url.split('/').at(-1)))
  expect([numbers[0], numbers.at(-2), numbers.at(-1)]).toEqual([4, 2, 3])
})

test.each([
  ['is carried already', { running: { id: 'a', result: '' as const } }],
  ['lacks few bytes', { stored: whole(PARTS - Math.ceil(HAND_OVER_BYTES / PART_BYTES) + 1) }],
])('an upload that %s is not handed over', async (_name, given) => {
  const { end, list } = await hand(given)
  expect([end, list]).toEqual(['unneeded', undefined])
})

test('an upload whose list has ended is handed over again', async () => {
  expect((await hand({ running: { id: 'a', result: 'failure' } })).end).toBe('handed')
})

test.each([
  ['no room on the device', { refusal: new DOMException('no', 'QuotaExceededError') }, 'noRoom'],
  ['a list of the same name', { refusal: new TypeError('There already is a registration') }, 'failed'],
  ['a server that gives no capability', { status: 503 }, 'failed'],
  ['a chunk that is missing', { hasChunks: false }, 'failed'],
])('the queue goes on by itself after %s', async (_name, given, expected) => {
  const { end, list } = await hand(given)
  expect([end, list]).toEqual([expected, undefined])
})

test('an error that nothing explains is thrown', async () => {
  await expect(hand({ refusal: new RangeError('what') })).rejects.toThrow('what')
})
