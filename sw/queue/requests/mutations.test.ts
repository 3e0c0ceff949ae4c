// Sending mutations: the request each one is, and what its answer means.
import { describe, expect, test } from 'vitest'
import { ANSWER_HEADER } from '#contract/answer.ts'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { newId } from '#contract/ids.ts'
import { newMutationRow } from '#device/mutations/mutations.ts'
import { stillClock } from '#sw/testing/scripted-server.ts'
import { createMutationApi } from './mutations.ts'

const me = newId()
const post = newId()
const source = newId()
const user = { id: me, email: 'a@example.com', name: '葵', avatar_url: null, role: 'member' } as const

/** Does one mutation against a server that answers so; gives its end, the request and what was heard. */
async function doing(act: Mutation, status: number, body: unknown = {}) {
  const asked: {
    url: string
    method: string | undefined
    body: unknown
    type: string | null
    token: string | null
    number: string | null
  }[] = []
  const heard: unknown[] = []
  const acts = createMutationApi({
    api: 'https://todoke.test/api',
    fetch: async (url, init) => {
      const headers = new Headers(init.headers)
      const [token, number] = [headers.get('Authorization'), headers.get('Act-Number')]
      const type = headers.get('Content-Type')
      asked.push({ url, method: init.method, body: init.body, type, token, number })
      return Response.json(body, { status, headers: { [ANSWER_HEADER]: '1' } })
    },
    clock: { now: () => 0, random: () => 0, sleep: () => new Promise(() => undefined) },
    store: { session: async () => ({ token: 't', user }), refused: async () => undefined },
    onReply: ({ id }, reply) => heard.push({ id, reply }),
  })
  const job = newMutationRow(me, { mutation: act, about: '蓮' }, { source, number: 7 }, 0)
  const end = await acts.mutate(job, new AbortController().signal)
  return { end, asked, heard, job }
}

const like: Mutation = { name: 'likePost', params: { post_id: post } }
const unlike: Mutation = { name: 'unlikePost', params: { post_id: post } }

test('a heart is one signed and numbered request, and what the server says of it is heard', async () => {
  const reply = { data: { liked: true, likes: 3 } }
  const { end, asked, heard, job } = await doing(like, 200, reply)
  expect(end).toEqual({ is: 'ok', value: null })
  expect(asked).toEqual([
    {
      url: `https://todoke.test/api/posts/${post}/like`,
      method: 'PUT',
      body: undefined,
      type: null,
      token: 'Bearer t',
      number: `${source}.7`,
    },
  ])
  expect(heard).toEqual([{ id: job.id, reply }])
})

test('a comment carries its words', async () => {
  const body = { id: newId(), content: 'こんにちは' }
  const { asked } = await doing({ name: 'addComment', params: { post_id: post }, body }, 200)
  expect(asked).toMatchObject([{ method: 'POST', body: JSON.stringify(body), type: 'application/json' }])
})

test('taking back what is not there any more is done', async () => {
  expect((await doing(unlike, 404, { error: { code: 'not_found' } })).end).toEqual({ is: 'ok', value: null })
})

test.each([
  [404, 'not_found', { is: 'gone' }],
  [403, 'forbidden', { is: 'refused', code: 'forbidden' }],
  [401, 'unauthenticated', { is: 'signedOut', refused: true }],
  [503, 'unavailable', { is: 'lost' }],
] as const)('a heart that is answered %s %s', async (status, code, end) => {
  const told = await doing(like, status, { error: { code } })
  expect(told.end).toEqual(end)
  expect(told.heard).toEqual([])
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
        return Response.json(replies.shift(), { headers: { [ANSWER_HEADER]: '1' } })
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

  test('has it sent again, once, under a number of a new source: a copy of this device sent later ones', async () => {
    const { end, numbers, received } = await liking([isLiked(false), isLiked(true)], { source, number: 7 })
    expect(numbers).toEqual([`${source}.7`, `${other.source}.1`])
    expect([end, received]).toEqual([{ is: 'ok', value: null }, [isLiked(true)]])
    const twice = await liking([isLiked(false), isLiked(false), isLiked(true)], { source, number: 7 })
    expect([twice.numbers.length, twice.received]).toEqual([2, [isLiked(false)]])
  })

  test('is its end where the mutation had no number: no later one can have overtaken it', async () => {
    const { end, numbers, received } = await liking([isLiked(false)], undefined)
    expect([end, numbers, received]).toEqual([{ is: 'ok', value: null }, [null], [isLiked(false)]])
  })

  test('is not assumed of a reply that confirms it', async () => {
    expect((await liking([isLiked(true)], { source, number: 7 })).numbers).toEqual([`${source}.7`])
  })

  test('is its end where no new source can be had', async () => {
    const { end, asked } = await doing(like, 200, isLiked(false))
    expect([end, asked.length]).toEqual([{ is: 'ok', value: null }, 1])
  })
})
