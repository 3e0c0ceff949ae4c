// Numbers of comments are the server's, in whichever order reply and live message arrive.
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type CommentView, listComments } from '#contract/posts/comments.ts'
import { getPost } from '#contract/posts/posts.ts'
import { applyToCache } from './reply-effects.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { setComments } from '#src/domain/posts/post-cache.ts'

vi.mock('#src/domain/session/session.ts', () => ({
  viewer: { get: () => ({ is: 'unauthenticated' }), subscribe: () => () => undefined },
}))
vi.mock('#src/domain/push/push-offer.ts', () => ({ pushOffer: { show: () => undefined } }))

const postId = newId()
const author = { id: newId(), handle: null, name: '汐見はる', avatar_url: null }

const comment = (parentId: string | null, replies = 0): CommentView => ({
  id: newId(),
  post_id: postId,
  parent_id: parentId,
  created_at: '2026-11-29T00:00:00.000Z',
  replies,
  deletable: true,
  body: {
    is: 'shown',
    author,
    content: '灯り',
    mentions: [],
    likes: 0,
    liked: false,
    answers: null,
    muted: false,
  },
})

const mutation = { name: 'addComment', params: { post_id: postId }, body: {} } as unknown as Parameters<
  typeof applyToCache
>[1]

function opened(): { client: QueryClient; comments: () => number | undefined } {
  const client = new QueryClient()
  const { queryKey } = queryFor(getPost, { params: { post_id: postId } })
  client.setQueryData(queryKey, { id: postId, access: {}, counts: { likes: 0, comments: 3 } } as never)
  const comments = () => client.getQueryData(queryKey)?.counts.comments
  return { client, comments }
}

test.each(['the live message', 'the reply'])(
  'an own comment is counted once, when %s comes first',
  (first) => {
    const { client, comments } = opened()
    const seen: (number | undefined)[] = []
    const live = () => setComments(client, postId, 4)
    const reply = () =>
      applyToCache(client, mutation, { ...comment(null), counts: { comments: 4, replies: null } })
    for (const it of first === 'the reply' ? [reply, live] : [live, reply]) {
      it()
      seen.push(comments())
    }
    expect(seen).toEqual([4, 4])
  },
)

test('the replies below a comment are those that the server counts', () => {
  const { client, comments } = opened()
  const parent = comment(null, 7)
  const key = [listComments.name, {}, { postId }] as const
  client.setQueryData(key, {
    pages: [{ comments: [parent], next: null, previous: null }],
    pageParams: [null],
  })
  applyToCache(client, mutation, { ...comment(parent.id), counts: { comments: 5, replies: 2 } })
  const data = client.getQueryData(key) as { pages: { comments: CommentView[] }[] }
  expect([comments(), data.pages[0]?.comments[0]?.replies]).toEqual([5, 2])
})

test('numbers that a server of an earlier version does not tell are read again', () => {
  const { client, comments } = opened()
  applyToCache(client, mutation, comment(null))
  const { queryKey } = queryFor(getPost, { params: { post_id: postId } })
  expect([comments(), client.getQueryState(queryKey)?.isInvalidated]).toEqual([3, true])
})
