// Sending mutations: the request of each, and the meaning of its reply.
import { describe, expect, test } from 'vitest'
import { RESPONSE_HEADER } from '#contract/response.ts'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { newId } from '#contract/ids.ts'
import { newMutationRow } from '#device/mutations/mutations.ts'
import { stillClock } from '#sw/testing/scripted-server.ts'
import { createMutationApi } from './mutations.ts'

const me = newId()
const post = newId()
const source = newId()
const user = { id: me, email: 'a@example.com', name: '葵', avatar_url: null, role: 'member' } as const

/** Sends one mutation to a server with this reply; returns its end, the requests and the received replies. */
async function sendMutation(mutation: Mutation, status: number, body: unknown = {}) {
  const requests: {
    url: string
    method: string | undefined
    body: unknown
    type: string | null
    token: string | null
    number: string | null
  }[] = []
  const replies: unknown[] = []
  const api = createMutationApi({
    api: 'https://todoke.test/api',
    fetch: async (url, init) => {
      const headers = new Headers(init.headers)
      const [token, number] = [headers.get('Authorization'), headers.get('Act-Number')]
      const type = headers.get('Content-Type')
      requests.push({ url, method: init.method, body: init.body, type, token, number })
      return Response.json(body, { status, headers: { [RESPONSE_HEADER]: '1' } })
    },
    clock: { now: () => 0, random: () => 0, sleep: () => new Promise(() => undefined) },
    store: { session: async () => ({ token: 't', user }), refused: async () => undefined },
    onReply: ({ id }, reply) => replies.push({ id, reply }),
  })
  const job = newMutationRow(me, { mutation, about: '蓮' }, { source, number: 7 }, 0)
  const end = await api.mutate(job, new AbortController().signal)
  return { end, requests, replies, job }
}

const like: Mutation = { name: 'likePost', params: { post_id: post } }
const unlike: Mutation = { name: 'unlikePost', params: { post_id: post } }

test('a like is one authorised and numbered request, and its reply is passed on', async () => {
  const reply = { data: { liked: true, likes: 3 } }
  const { end, requests, replies, job } = await sendMutation(like, 200, reply)
  expect(end).toEqual({ is: 'ok', value: null })
  expect(requests).toEqual([
    {
      url: `https://todoke.test/api/posts/${post}/like`,
      method: 'PUT',
      body: undefined,
      type: null,
      token: 'Bearer t',
      number: `${source}.7`,
    },
  ])
  expect(replies).toEqual([{ id: job.id, reply }])
})

test('a mutation whose reply no page wants ends as done', async () => {
  const { mutate } = createMutationApi({
    api: 'https://todoke.test/api',
    fetch: async () =>
      Response.json({ data: { liked: true, likes: 3 } }, { headers: { [RESPONSE_HEADER]: '1' } }),
    clock: stillClock,
    store: { session: async () => ({ token: 't', user }), refused: async () => undefined },
  })
  const job = newMutationRow(me, { mutation: like, about: '蓮' }, { source, number: 7 }, 0)
  expect(await mutate(job, new AbortController().signal)).toEqual({ is: 'ok', value: null })
})

test('a comment contains its text', async () => {
  const body = { id: newId(), content: 'こんにちは' }
  const { requests } = await sendMutation({ name: 'addComment', params: { post_id: post }, body }, 200)
  expect(requests).toMatchObject([{ method: 'POST', body: JSON.stringify(body), type: 'application/json' }])
})

test('undoing a like that no longer exists counts as done', async () => {
  expect((await sendMutation(unlike, 404, { error: { code: 'not_found' } })).end).toEqual({
    is: 'ok',
    value: null,
  })
})

test.each([
  [404, 'not_found', { is: 'gone' }],
  [403, 'forbidden', { is: 'refused', code: 'forbidden' }],
  [401, 'unauthenticated', { is: 'signedOut', refused: true }],
  [503, 'unavailable', { is: 'lost' }],
] as const)('the end of a like that is answered %s %s', async (status, code, end) => {
  const result = await sendMutation(like, status, { error: { code } })
  expect(result.end).toEqual(end)
  expect(result.replies).toEqual([])
})

describe('a reply that contradicts its mutation', () => {
  const other = { source: newId(), number: 1 }
  const isLiked = (liked: boolean) => ({ data: { liked, likes: 3 } })

  /** Sends a like against these replies, with or without a sequence number of its own. */
  async function liking(replies: unknown[], number: { source: string; number: number } | undefined) {
    const numbers: (string | null)[] = []
    const received: unknown[] = []
    const mutations = createMutationApi({
      api: 'https://todoke.test/api',
      fetch: async (_url, init) => {
        numbers.push(new Headers(init.headers).get('Act-Number'))
        return Response.json(replies.shift(), { headers: { [RESPONSE_HEADER]: '1' } })
      },
      clock: stillClock,
      store: { session: async () => ({ token: 't', user }), refused: async () => undefined },
      onReply: (_job, reply) => received.push(reply),
      renumber: async () => other,
    })
    const row = newMutationRow(me, { mutation: like, about: '蓮' }, { source, number: 7 }, 0)
    const { number: _, ...unnumbered } = row
    const job = number ? { ...row, number } : unnumbered
    const end = await mutations.mutate(job, new AbortController().signal)
    return { end, numbers, received }
  }

  test('causes one repeat with a number of a new source, because a copy of this device sent later numbers', async () => {
    const { end, numbers, received } = await liking([isLiked(false), isLiked(true)], { source, number: 7 })
    expect(numbers).toEqual([`${source}.7`, `${other.source}.1`])
    expect([end, received]).toEqual([{ is: 'ok', value: null }, [isLiked(true)]])
    const twice = await liking([isLiked(false), isLiked(false), isLiked(true)], { source, number: 7 })
    expect([twice.numbers.length, twice.received]).toEqual([2, [isLiked(false)]])
  })

  test('ends a mutation without a number, which no later mutation can have overtaken', async () => {
    const { end, numbers, received } = await liking([isLiked(false)], undefined)
    expect([end, numbers, received]).toEqual([{ is: 'ok', value: null }, [null], [isLiked(false)]])
  })

  test('is not a reply that confirms the mutation', async () => {
    expect((await liking([isLiked(true)], { source, number: 7 })).numbers).toEqual([`${source}.7`])
  })

  test('ends the mutation when no new source is available', async () => {
    const { end, requests } = await sendMutation(like, 200, isLiked(false))
    expect([end, requests.length]).toEqual([{ is: 'ok', value: null }, 1])
  })
})
