// A response that is not our server's counts as none, and the step is retried.
import { describe, expect, test } from 'vitest'
import { type Mutation, type MutationName, mutationNames } from '#contract/mutations/mutations.ts'
import { newId } from '#contract/ids.ts'
import { newMutationRow } from '#device/mutations/mutations.ts'
import { identityJob, messageJob } from '#device/testing/jobs.ts'
import { portal, type ScriptedReply, type RecordedRequest } from '#sw/testing/scripted-server.ts'
import {
  OWNER,
  POST,
  OTHER,
  FILE,
  neverAborted,
  FOREIGN_LOSS,
  calls,
  post,
  withFile,
  sending,
  SIZE,
} from '#sw/testing/queue-calls.ts'

const check = identityJob([{ id: FILE, size: SIZE }], { ownerId: OWNER })

const message = messageJob([{ id: FILE, size: SIZE }], { ownerId: OWNER })

const job = (mutation: Mutation) =>
  newMutationRow(OWNER, { mutation, about: '蓮' }, { source: newId(), number: 7 }, 0)

const text = () => ({ id: newId(), content: 'こんにちは' })

/** Every mutation: one without a row does not compile. */
const mutations: { readonly [name in MutationName]: Omit<Mutation, 'name'> } = {
  likePost: { params: { post_id: POST } },
  unlikePost: { params: { post_id: POST } },
  likeComment: { params: { comment_id: OTHER } },
  unlikeComment: { params: { comment_id: OTHER } },
  follow: { params: { user_id: OTHER } },
  unfollow: { params: { user_id: OTHER } },
  addComment: { params: { post_id: POST }, body: text() },
  readNotifications: { params: {}, body: { ids: [OTHER] } },
  sendMessage: { params: { user_id: OTHER }, body: text() },
  readConversation: { params: { user_id: OTHER }, body: { seq: 3 } },
  sendBroadcast: { params: {}, body: { ...text(), plan_ids: [OTHER] } },
}

type Step = (on: ReturnType<typeof calls>) => Promise<unknown>

const mutationSteps = mutationNames.map((name): [string, Step] => [
  name,
  (on) => on.mutate(job({ name, ...mutations[name] }), neverAborted),
])

/** Every call of the queue whose answer may come from somewhere else. */
const steps: Record<string, Step> = {
  ...Object.fromEntries(mutationSteps),
  'adding the post': (on) => on.addPost(post, neverAborted),
  release: (on) => on.release(post, POST, neverAborted),
  withdrawal: (on) => on.withdraw(post, POST, neverAborted),
  'message with files': (on) => on.submitMessage(message, neverAborted),
  'identity check': (on) => on.submitCheck(check, neverAborted),
  'legacy chunk': (on) => on.chunked.send(withFile(), FILE, async () => undefined, neverAborted),
  HEAD: sending(withFile()),
  'HEAD of a new file': sending(withFile({ state: { is: 'waiting' } })),
  DELETE: (on) => on.tus.discard(withFile(), FILE, neverAborted),
}

const pages = [200, 202, 401, 403, 404, 410, 413, 415, 422, 500, 503]

describe.each(Object.entries(steps))('%s', (_name, step) => {
  test.each(pages)('a page with status %i counts as no answer', async (status) => {
    const on = calls([portal(status)])
    expect(await step(on)).toEqual(FOREIGN_LOSS)
    expect([on.server.heard.length, on.refused, on.heard]).toEqual([1, [], []])
  })

  test('a redirect counts as no answer and is not followed', async () => {
    const on = calls([portal(302, { Location: '/login' })])
    expect(await step(on)).toEqual(FOREIGN_LOSS)
    expect(on.server.heard.map((it) => it.redirect)).toEqual(['manual'])
  })

  test.each([200, 403, 404])('JSON of another server with status %i counts as no answer', async (status) => {
    const body = { ok: status === 200, message: 'please sign in', data: 'x' }
    expect(await step(calls([{ status, body, foreign: true }]))).toEqual(FOREIGN_LOSS)
  })

  test.each([200, 403, 404])(
    'our reply to another request, with status %i, counts as no answer',
    async (status) => {
      const body = status === 200 ? {} : { error: { code: status === 403 ? 'forbidden' : 'not_found' } }
      const mixedUp = { status, body, headers: { 'Todoke-Request': newId() } }
      expect(await step(calls([mixedUp]))).toEqual(FOREIGN_LOSS)
    },
  )
})

test('a refusal that names its request is accepted', async () => {
  const refusal = ({ headers }: RecordedRequest): ScriptedReply => ({
    status: 403,
    body: { error: { code: 'forbidden' } },
    headers: { 'Todoke-Request': String(headers['Todoke-Request']) },
  })
  expect(await calls([refusal]).addPost(post, neverAborted)).toEqual({ is: 'refused', code: 'forbidden' })
})

test('a Retry-After of another server is ignored', async () => {
  const on = calls([portal(503, { 'Retry-After': '86400' })])
  expect(await on.release(post, POST, neverAborted)).toEqual(FOREIGN_LOSS)
})

test('a Retry-After of our server is followed up to ten minutes', async () => {
  const on = calls([
    { status: 503, headers: { 'Retry-After': '86400' }, body: { error: { code: 'unavailable' } } },
  ])
  expect(await on.release(post, POST, neverAborted)).toEqual({ is: 'lost', retryAfter: 600_000 })
})

describe('a release', () => {
  const released = (id: string) => ({ data: { id, released_at: '2026-03-05T03:30:00.000Z' } })
  test.each([
    ['an error', { error: { code: 'internal' } }],
    ['another post', released(OTHER)],
    ['nothing', null],
  ])('whose success names %s is requested again', async (_name, body) => {
    expect(await calls([{ status: 200, body }]).release(post, POST, neverAborted)).toMatchObject({
      is: 'lost',
    })
  })
  test('is done only when the reply names its post', async () => {
    const ok = { is: 'ok', value: null }
    expect(await calls([{ status: 200, body: released(POST) }]).release(post, POST, neverAborted)).toEqual(ok)
    // A server from before the header existed is known by the form of its reply.
    const older = { status: 200, body: released(POST), foreign: true } as const
    expect(await calls([older]).release(post, POST, neverAborted)).toEqual(ok)
  })
})

test.each([[{ data: [] }], [{}], [{ data: [{ item: {} }] }]])(
  'a post whose addition is answered with %j is requested again, under the same key',
  async (body) => {
    const on = calls([{ status: 200, body }])
    expect(await on.addPost(post, neverAborted)).toMatchObject({ is: 'lost' })
    expect(on.server.heard[0]?.headers).toMatchObject({ 'Idempotency-Key': post.key })
  },
)

test('a mutation is done when a newer server answers in a form that this build does not know', async () => {
  const on = calls([{ status: 200, body: { liked: 'yes' } }])
  expect(await on.mutate(job({ name: 'likePost', ...mutations.likePost }), neverAborted)).toEqual({
    is: 'ok',
    value: null,
  })
  expect(on.heard).toEqual([])
})

test('an error code of a newer server means what its status means', async () => {
  const on = calls([{ status: 403, body: { error: { code: 'not_on_sundays' } } }])
  expect(await on.addPost(post, neverAborted)).toEqual({ is: 'refused', code: 'forbidden' })
})
