// One request: its deadline, and its end without a reply.
import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { RESPONSE_HEADER } from '#contract/response.ts'
import { LEGACY_CHUNK } from '#contract/limits.ts'
import { releasePost } from '#contract/posts/posts.ts'
import type { Media } from '#device/database/schema.ts'
import type { PostJob } from '#device/jobs/job-rows.ts'
import { newFile } from '#device/jobs/new-files.ts'
import { identityJob, likeJob, postJob } from '#device/testing/jobs.ts'
import { createPace } from '#sw/queue/pace.ts'
import type { Clock, Fetch } from '#sw/queue/ports.ts'
import { stillClock, storeWith } from '#sw/testing/scripted-server.ts'
import { createChunkedApi } from './chunked.ts'
import { createIdentityApi } from './identity.ts'
import { createMutationApi } from './mutations.ts'
import { createPostApi } from './publish.ts'
import { call, exchange } from './request.ts'
import { createTusApi } from './tus.ts'

const OWNER = '018f0000-0000-7000-8000-0000000000aa'
const FILE = '018f0000-0000-7000-8000-00000000000a'
const POST = '018f0000-0000-7000-8000-0000000000cc'
const SIZE = LEGACY_CHUNK + 3
const user = { id: OWNER, email: 'a@example.com', name: '葵', avatar_url: null, role: 'member' } as const
const still = new AbortController().signal
const ignore = async () => undefined

/** Every call of the queue, and the deadlines of its requests, ms; `took` is how long each request lasts. */
function calls(fetch: Fetch = () => Promise.reject(new TypeError('network')), took = 0) {
  const deadlines: number[] = []
  let now = 1_000_000
  const clock: Clock = {
    ...stillClock,
    now: () => now,
    sleep: (until, signal) => {
      // Fractions of a millisecond are lost in the difference.
      deadlines.push(Math.round((until - now) * 100) / 100)
      return stillClock.sleep(until, signal)
    },
  }
  const store = storeWith({
    session: async () => ({ token: 'secret', user }),
    digest: async () => 'digest',
    media: async () => ({ id: FILE, name: 'a.mp4', mime: 'video/mp4', size: SIZE }) as Media,
    chunk: async () => new Blob(['x']),
    range: async () => new Blob(['x']),
  })
  const slow: Fetch = async (url, init) => {
    now += took
    return fetch(url, init)
  }
  const caller = { fetch: slow, clock, store, api: 'https://todoke.test/api' }
  const endpoint = 'https://todoke.test/upload-chunking-2'
  return {
    deadlines,
    ...createPostApi(caller),
    ...createMutationApi(caller),
    ...createIdentityApi(caller),
    tus: createTusApi({ ...caller, pace: createPace(), endpoint }),
    chunked: createChunkedApi(caller),
  }
}
type Calls = ReturnType<typeof calls>

const file = newFile({ id: FILE, size: SIZE })
const video = (attempts = 0): PostJob =>
  postJob([], {
    ownerId: OWNER,
    files: [{ ...file, state: { is: 'sending', upload: { acked: 0, url: null } } }],
    protocol: 'chunked',
    stage: { is: 'added', post: { id: POST, videoId: 'v1' } },
    attempts,
  })
const check = identityJob([{ id: FILE, size: 5 }], {
  ownerId: OWNER,
  form: { documentKind: 'passport', promptsId: POST, front: FILE, back: null, live: FILE },
})
const offset = (status: number, at: number) =>
  new Response(null, {
    status,
    headers: { [RESPONSE_HEADER]: '1', 'Upload-Offset': String(at), 'Upload-Length': String(SIZE) },
  })

describe('the deadline of a reply', () => {
  const inside = { protocol: 'chunked', form: { ...postJob().form, kind: 'images' } } as const
  test.each<[string, number, (on: Calls) => Promise<unknown>]>([
    ['to a like', 5000, (on) => on.mutate(likeJob({ ownerId: OWNER }), still)],
    [
      'to a like after four failures',
      5000,
      (on) => on.mutate(likeJob({ ownerId: OWNER, attempts: 4 }), still),
    ],
    [
      'to a like after five failures',
      14_500,
      (on) => on.mutate(likeJob({ ownerId: OWNER, attempts: 5 }), still),
    ],
    ['to a release', 5000, (on) => on.release(video(), POST, still)],
    ['to a release after five failures', 14_500, (on) => on.release(video(5), POST, still)],
    ['to a withdrawal', 14_500, (on) => on.withdraw(video(), POST, still)],
    ['to a new post', 120_000, (on) => on.addPost(video(), still)],
    [
      'to a new post with its pictures inside, longer by their bytes',
      120_000 + SIZE / 50,
      (on) => on.addPost({ ...video(), ...inside }, still),
    ],
    ['to an identity check', 120_000, (on) => on.submitCheck(check, still)],
    ['to HEAD', 5000, (on) => on.tus.send(video(), FILE, ignore, still)],
    ['to HEAD after five failures', 14_500, (on) => on.tus.send(video(5), FILE, ignore, still)],
    ['to DELETE', 14_500, (on) => on.tus.discard(video(5), FILE, still)],
    ['to a chunk', 14_500, (on) => on.chunked.send(video(), FILE, ignore, still)],
  ])('%s is %i ms', async (_name, ms, step) => {
    const on = calls()
    expect(await step(on)).toEqual({ is: 'lost' })
    expect(on.deadlines).toEqual([ms])
  })

  test('to bytes by the resumable protocol is 14.5 s, however often it failed', async () => {
    const fetch: Fetch = async (_url, { method }) => {
      if (method === 'HEAD') return offset(200, 0)
      throw new TypeError('network')
    }
    const on = calls(fetch)
    await on.tus.send(video(), FILE, ignore, still)
    expect(on.deadlines).toEqual([5000, 14_500])
  })

  test('to a chunk doubles after each loss, up to five minutes', async () => {
    const on = calls()
    for (let i = 0; i < 7; i++) await on.chunked.send(video(), FILE, ignore, still)
    expect(on.deadlines).toEqual([14_500, 29_000, 58_000, 116_000, 232_000, 300_000, 300_000])
  })

  test('to a chunk stays the same after a refusal', async () => {
    const refusal: Fetch = async () =>
      Response.json({ error: { code: 'too_large' } }, { status: 413, headers: { [RESPONSE_HEADER]: '1' } })
    const on = calls(refusal)
    for (let i = 0; i < 2; i++) await on.chunked.send(video(), FILE, ignore, still)
    expect(on.deadlines).toEqual([14_500, 14_500])
  })

  test.each([
    ['14.5 s, when that took one second', 1000, 14_500],
    ['four times the duration of that chunk', 10_000, 40_000],
    ['five minutes at most', 100_000, 300_000],
  ])('to a chunk after one that was accepted is %s', async (_name, took, ms) => {
    const ok: Fetch = async () => Response.json({ data: true }, { headers: { [RESPONSE_HEADER]: '1' } })
    const on = calls(ok, took)
    expect(await on.chunked.send(video(), FILE, ignore, still)).toEqual({ is: 'ok', value: null })
    expect(on.deadlines).toEqual([14_500, ms])
  })
})

describe('a request', () => {
  const request = { url: 'https://todoke.test/api/x', method: 'GET', headers: {} }
  const reply = () => new Response(null, { status: 200, headers: { [RESPONSE_HEADER]: '1' } })
  const lasting: Fetch = (_url, { signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    })
  const exchanged = (fetch: Fetch, clock: Clock, signal: AbortSignal) =>
    exchange({ fetch, clock, store: storeWith({}) }, request, signal, 7).catch((error: unknown) => error)

  test('that is not answered by its deadline is aborted and counts as lost', async () => {
    const sleeps: number[] = []
    const clock = { ...stillClock, sleep: async (until: number) => void sleeps.push(until) }
    expect(await exchanged(lasting, clock, still)).toMatchObject({ end: { is: 'lost' } })
    expect(sleeps).toEqual([7])
  })

  test('that is stopped is aborted and does not count as lost', async () => {
    const stop = new AbortController()
    const end = exchanged(lasting, stillClock, stop.signal)
    stop.abort()
    expect(await end).toMatchObject({ end: { is: 'stopped' } })
  })

  test('rejects with the error of the device whose session cannot be read', async () => {
    const broken = new DOMException('no database', 'InvalidStateError')
    const store = storeWith({ session: () => Promise.reject(broken) })
    const caller = { fetch: async () => reply(), clock: stillClock, store, api: 'https://todoke.test/api' }
    await expect(call(caller, OWNER, releasePost, { params: { post_id: POST } }, still)).rejects.toBe(broken)
  })

  test('that is stopped before it begins is not sent', async () => {
    const sent: string[] = []
    const fetch: Fetch = async (url) => (sent.push(url), reply())
    expect(await exchanged(fetch, stillClock, AbortSignal.abort())).toMatchObject({ end: { is: 'stopped' } })
    expect(sent).toEqual([])
  })

  test('leaves no timer and no listener', async () => {
    const timers: AbortSignal[] = []
    const clock: Clock = {
      ...stillClock,
      sleep: (until, signal) => (timers.push(signal), stillClock.sleep(until, signal)),
    }
    const { signal } = new AbortController()
    for (const fetch of [async () => reply(), () => Promise.reject(new TypeError('network'))])
      await exchanged(fetch, clock, signal)
    expect(timers.map((it) => it.aborted)).toEqual([true, true])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
