// Answers that are not our server's: whatever they say, they are no answer, and the step is tried again.
import { describe, expect, test } from 'vitest'
import type { Mutation } from '#contract/mutations/mutations.ts'
import type { ServerKind } from '#contract/answer.ts'
import { newId } from '#contract/ids.ts'
import { newMutationRow } from '#device/mutations/mutations.ts'
import { newFacts } from '#device/jobs/facts.ts'
import type { IdentityJob, Job, Media, MediaFacts, PostJob } from '#device/database/schema.ts'
import { makeMutations } from './requests/mutations.ts'
import { makeChunked } from './requests/chunked.ts'
import { makeIdentity } from './requests/identity.ts'
import { makePace } from './pace.ts'
import { makePublish } from './requests/publish.ts'
import { portal, scripted, stillClock, storeWith, type Answered, type Heard } from '#sw/testing/transcript.ts'
import { makeTus } from './requests/tus.ts'

const OWNER = '018f0000-0000-7000-8000-0000000000aa'
const POST = '018f0000-0000-7000-8000-0000000000cc'
const OTHER = '018f0000-0000-7000-8000-0000000000dd'
const FILE = '018f0000-0000-7000-8000-00000000000a'
const PATH = `/upload-chunking-2/${FILE}`
const SIZE = 10
const DIGEST = `${'A'.repeat(43)}=`
const user = { id: OWNER, email: 'a@example.com', name: '葵', avatar_url: null, role: 'member' } as const
const still = new AbortController().signal
const LOST = { is: 'lost', why: 'foreign' }

/** The queue's calls against a line that gives these answers. */
function calls(answers: (Answered | ((request: Heard) => Answered))[], server?: ServerKind) {
  const line = scripted(answers.map((it) => (typeof it === 'function' ? it : () => it)))
  const refused: string[] = []
  const heard: unknown[] = []
  const store = storeWith({
    session: async () => ({ token: 'secret', user }),
    refused: async (token) => void refused.push(token),
    digest: async () => DIGEST,
    media: async (id) => ({ id, name: 'a.mp4', mime: 'video/mp4', size: SIZE }) as Media,
    chunk: async () => new Blob([new Uint8Array(SIZE)]),
    range: async (_id, from, to) => new Blob([new Uint8Array(to - from)]),
  })
  const caller = { fetch: line.fetch, clock: stillClock, store, ...(server && { server }) }
  const api = 'https://todoke.test/api'
  return {
    line,
    refused,
    heard,
    ...makePublish({ ...caller, api }),
    ...makeMutations({ ...caller, api, heard: (id, reply) => heard.push({ id, reply }) }),
    ...makeIdentity({ ...caller, api }),
    tus: makeTus({ ...caller, pace: makePace(), endpoint: 'https://todoke.test/upload-chunking-2' }),
    chunked: makeChunked({ ...caller, api }),
  }
}

const facts = newFacts([], 'tus')
const post = {
  id: newId(),
  key: newId(),
  ownerId: OWNER,
  kind: 'post',
  protocol: 'tus',
  form: { content: '本文', type: 1, planIds: [], price: '', isAgeLimited: false, kind: 'none' },
  facts,
  createdAt: 0,
} as unknown as PostJob
const withFile = (given: Partial<MediaFacts> = {}) =>
  ({
    ...post,
    facts: {
      ...facts,
      media: [{ id: FILE, size: SIZE, acked: 0, begun: true, url: null, ...given }],
      post: { id: POST, videoId: OTHER },
    },
  }) as unknown as Job
const check = {
  ...post,
  kind: 'identity',
  form: { documentKind: 'passport', promptsId: OTHER, front: FILE, back: null, live: FILE },
} as unknown as IdentityJob
const job = (act: Mutation) => newMutationRow(OWNER, { act, about: '蓮' }, { source: newId(), number: 7 }, 0)
const comment: Mutation = {
  name: 'addComment',
  params: { post_id: POST },
  body: { id: newId(), content: 'こんにちは' },
}
const like: Mutation = { name: 'likePost', params: { post_id: POST } }
const unlike: Mutation = { name: 'unlikePost', params: { post_id: POST } }
const sending = (it: Job) => (on: ReturnType<typeof calls>) =>
  on.tus.send(it, FILE, async () => undefined, still)

/** Every call of the queue whose answer may come from somewhere else. */
const steps: Record<string, (on: ReturnType<typeof calls>) => Promise<unknown>> = {
  comment: (on) => on.act(job(comment), still),
  like: (on) => on.act(job(like), still),
  unlike: (on) => on.act(job(unlike), still),
  'adding the post': (on) => on.addPost(post, still),
  release: (on) => on.release(post, POST, still),
  withdrawal: (on) => on.withdraw(post, POST, still),
  'identity check': (on) => on.submitCheck(check, still),
  'legacy chunk': (on) => on.chunked.send(withFile(), FILE, async () => undefined, still),
  HEAD: sending(withFile()),
  'HEAD of a new file': sending(withFile({ begun: false })),
  DELETE: (on) => on.tus.discard(withFile(), FILE, still),
}

const pages = [200, 202, 401, 403, 404, 410, 413, 415, 422, 500, 503]

describe.each(Object.entries(steps))('%s', (_name, step) => {
  test.each(pages)('answered %i by a page is not answered', async (status) => {
    const on = calls([portal(status)])
    expect(await step(on)).toEqual(LOST)
    expect([on.line.heard.length, on.refused, on.heard]).toEqual([1, [], []])
  })

  test('answered by a redirect is not answered, and no redirect is followed', async () => {
    const on = calls([portal(302, { Location: '/login' })])
    expect(await step(on)).toEqual(LOST)
    expect(on.line.heard.map((it) => it.redirect)).toEqual(['manual'])
  })

  test.each([200, 403, 404])('answered %i by JSON of another server is not answered', async (status) => {
    const body = { ok: status === 200, message: 'please sign in', data: 'x' }
    expect(await step(calls([{ status, body, foreign: true }]))).toEqual(LOST)
  })

  test.each([200, 403, 404])(
    'answered %i by our answer to another request is not answered',
    async (status) => {
      const body = status === 200 ? {} : { error: { code: status === 403 ? 'forbidden' : 'not_found' } }
      const mixedUp = { status, body, headers: { 'Todoke-Request': newId() } }
      expect(await step(calls([mixedUp]))).toEqual(LOST)
    },
  )
})

test('a refusal that names its request counts', async () => {
  const refusal = ({ headers }: Heard): Answered => ({
    status: 403,
    body: { error: { code: 'forbidden' } },
    headers: { 'Todoke-Request': String(headers['Todoke-Request']) },
  })
  expect(await calls([refusal]).addPost(post, still)).toEqual({ is: 'refused', code: 'forbidden' })
})

test('a Retry-After of another server is not waited for', async () => {
  const on = calls([portal(503, { 'Retry-After': '86400' })])
  expect(await on.release(post, POST, still)).toEqual(LOST)
})

test('a Retry-After of ours counts up to ten minutes', async () => {
  const on = calls([
    { status: 503, headers: { 'Retry-After': '86400' }, body: { error: { code: 'unavailable' } } },
  ])
  expect(await on.release(post, POST, still)).toEqual({ is: 'lost', retryAfter: 600_000 })
})

describe('a release', () => {
  const released = (id: string) => ({ data: { id, released_at: '2026-03-05T03:30:00.000Z' } })
  test.each([
    ['an error', { error: { code: 'internal' } }],
    ['another post', released(OTHER)],
    ['nothing', null],
  ])('whose success names %s is asked for again', async (_name, body) => {
    expect(await calls([{ status: 200, body }]).release(post, POST, still)).toMatchObject({ is: 'lost' })
  })
  test('is done by the name of its post alone', async () => {
    const ok = { is: 'ok', value: null }
    expect(await calls([{ status: 200, body: released(POST) }]).release(post, POST, still)).toEqual(ok)
    // A server from before the header existed is known by the form of its reply.
    const older = { status: 200, body: released(POST), foreign: true } as const
    expect(await calls([older]).release(post, POST, still)).toEqual(ok)
  })
})

test.each([[{ data: [] }], [{}], [{ data: [{ item: {} }] }]])(
  'a post added and answered with %j is asked for again, under the same key',
  async (body) => {
    const on = calls([{ status: 200, body }])
    expect(await on.addPost(post, still)).toMatchObject({ is: 'lost' })
    expect(on.line.heard[0]?.headers).toMatchObject({ 'Idempotency-Key': post.key })
  },
)

test('an act answered by a newer server, in a form this build does not know, is done', async () => {
  const on = calls([{ status: 200, body: { liked: 'yes' } }])
  expect(await on.act(job(like), still)).toEqual({ is: 'ok', value: null })
  expect(on.heard).toEqual([])
})

describe('a new upload', () => {
  const missing: Answered = { status: 404, body: { error: { code: 'not_found' } } }
  test.each([
    '/login',
    'https://portal.example/login',
    `https://portal.example/upload-chunking-2/${FILE}`,
    '/upload-chunking-2/',
    `/upload-chunking-2/${FILE}/x`,
  ])('whose address would be %s is not created', async (location) => {
    const on = calls([missing, { status: 201, headers: { Location: location } }])
    const said: unknown[] = []
    const end = await on.tus.send(withFile({ begun: false }), FILE, async (it) => void said.push(it), still)
    expect([end, said]).toEqual([LOST, []])
  })

  test('noted at an address that is none is asked for at its own', async () => {
    const on = calls([{ status: 200, headers: { 'Upload-Offset': '10', 'Upload-Length': '10' } }])
    await on.tus.send(withFile({ url: 'https://todoke.test/login' }), FILE, async () => undefined, still)
    expect(on.line.lines()).toEqual([`HEAD ${PATH}`])
  })
})

describe('an offset', () => {
  const at = (offset: unknown): Answered => ({
    status: 200,
    headers: { 'Upload-Offset': String(offset), 'Upload-Length': String(SIZE) },
  })
  const took = (offset: unknown): Answered => ({ status: 204, headers: { 'Upload-Offset': String(offset) } })
  async function send(...answers: Answered[]) {
    const said: unknown[] = []
    const end = await calls(answers).tus.send(withFile(), FILE, async (it) => void said.push(it), still)
    return { end, said }
  }

  test.each([11, -1, 1.5, 'x'])('of %s in 10 bytes, asked for, is no answer', async (offset) => {
    expect(await send(at(offset))).toEqual({ end: LOST, said: [] })
  })
  test.each([11, 3, 'x'])('of %s after bytes 4 to 10 were sent is no answer', async (offset) => {
    expect(await send(at(4), took(offset))).toEqual({ end: LOST, said: [{ offset: 4 }] })
  })
  test('refused with one beyond the length is asked for again', async () => {
    const beyond = {
      status: 409,
      headers: { 'Upload-Offset': '11' },
      body: { error: { code: 'offset_mismatch' } },
    }
    expect((await send(at(4), beyond)).end).toEqual(LOST)
  })
})

describe('of servers from before the header existed', () => {
  const older = (it: Answered): Answered => ({ ...it, foreign: true })
  test('a refused token is known where an upload is asked for, though HEAD brings no body', async () => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': newId() }
    const on = calls([older({ status: 401, headers })])
    expect(await sending(withFile())(on)).toMatchObject({ is: 'signedOut' })
    expect(on.refused).toEqual(['secret'])
  })
  test('answers of the resumable protocol are known by its own header', async () => {
    const tus = { 'Tus-Resumable': '1.0.0' }
    const on = calls([
      older({ status: 200, headers: { ...tus, 'Upload-Offset': '4', 'Upload-Length': '10' } }),
      older({ status: 204, headers: { ...tus, 'Upload-Offset': '10' } }),
    ])
    expect(await sending(withFile())(on)).toEqual({ is: 'ok', value: null })
  })
  test('errors are known by their form', async () => {
    const on = calls([older({ status: 403, body: { error: { code: 'forbidden' } } })])
    expect(await on.addPost(post, still)).toEqual({ is: 'refused', code: 'forbidden' })
  })
})

test('an error code of a newer server means what its status means', async () => {
  const on = calls([{ status: 403, body: { error: { code: 'not_on_sundays' } } }])
  expect(await on.addPost(post, still)).toEqual({ is: 'refused', code: 'forbidden' })
})

describe('with a server that speaks only the calls of the specification', () => {
  const spec = (answer: Answered) => calls([{ ...answer, foreign: true }], 'specification')
  test.each([true, { data: true }, { result: true }, 'released', 1])(
    'a release answered %j is done',
    async (body) => {
      const on = spec({ status: 200, body: typeof body === 'string' ? [body] : body })
      expect(await on.release(post, POST, still)).toEqual({ is: 'ok', value: null })
    },
  )
  test.each([false, null, 0, '', { data: false }, { result: false }, { success: false }, { error: 'no' }])(
    'a release answered %j has failed (section 7)',
    async (body) => {
      const on = spec({ status: 200, ...(body === '' ? {} : { body }) })
      expect(await on.release(post, POST, still)).toEqual({ is: 'refused', code: 'internal' })
    },
  )
  test.each([{}, { data: [] }, { data: [{ item: {} }] }])(
    'adding answered %j names no post (section 8)',
    async (body) => {
      const on = spec({ status: 200, body })
      expect(await on.addPost(post, still)).toEqual({ is: 'refused', code: 'no_post_id' })
    },
  )
  test('numbers name posts', async () => {
    const on = spec({ status: 200, body: { data: { item: { id: 7, video_id: 8 } } } })
    expect(await on.addPost(post, still)).toEqual({ is: 'ok', value: { postId: '7', videoId: '8' } })
  })
  test.each([
    [403, { message: 'no' }, { is: 'refused', code: 'forbidden' }],
    [422, undefined, { is: 'refused', code: 'invalid' }],
    [404, { message: 'no' }, { is: 'gone' }],
    [503, undefined, { is: 'lost' }],
  ])('a refusal %i is its status, whatever its body: %j', async (status, body, end) => {
    expect(await spec({ status, body }).release(post, POST, still)).toEqual(end)
  })
  test('a refused token needs no code', async () => {
    const on = spec({ status: 401 })
    expect(await on.release(post, POST, still)).toMatchObject({ is: 'signedOut' })
    expect(on.refused).toEqual(['secret'])
  })
  test('an upload is where the server says, without a header of ours', async () => {
    const on = calls(
      [
        { status: 404, foreign: true },
        { status: 201, headers: { Location: 'https://files.example/u/4711' }, foreign: true },
        { status: 204, headers: { 'Upload-Offset': '10' }, foreign: true },
      ],
      'specification',
    )
    const said: unknown[] = []
    expect(
      await on.tus.send(withFile({ begun: false }), FILE, async (it) => void said.push(it), still),
    ).toEqual({
      is: 'ok',
      value: null,
    })
    expect(said[0]).toEqual({ url: 'https://files.example/u/4711' })
  })
  test.each([200, 403, 404])('a page is no answer there either: %i', async (status) => {
    const on = calls([portal(status)], 'specification')
    expect(await on.release(post, POST, still)).toEqual(LOST)
  })
})
