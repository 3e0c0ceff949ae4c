// Changes cached comments when one is written, deleted or liked.
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { CommentView } from '#contract/posts/comments.ts'
import { defined } from '#contract/testing/defined.ts'
import {
  applyEffects,
  applyReactions,
  insertComment,
  removeComment,
} from '#src/domain/posts/comment-cache.ts'
import { commentsIn, repliesQuery, threadsQuery } from './reading.ts'

const comment = (id: string, parent: string | null = null, replies = 0): CommentView => ({
  id,
  post_id: 'post',
  parent_id: parent,
  created_at: '',
  replies,
  deletable: true,
  body: {
    is: 'shown',
    author: { id: 'x', name: 'x', handle: null, avatar_url: null },
    content: id,
    mentions: [],
    likes: 0,
    liked: false,
    answers: null,
    muted: false,
  },
})
const page = (...comments: CommentView[]) => ({ comments, next: null, previous: null })
const threads = threadsQuery('post', undefined).queryKey
const replies = repliesQuery('a', undefined).queryKey

function read(): QueryClient {
  const client = new QueryClient()
  client.setQueryData(threads, { pages: [page(comment('b'), comment('a', null, 1))], pageParams: [{}] })
  client.setQueryData(threadsQuery('other', undefined).queryKey, { pages: [page()], pageParams: [{}] })
  client.setQueryData(replies, { pages: [page(comment('r', 'a'))], pageParams: [{}] })
  return client
}
const after = (left: number) => ({
  post: { likes: 0, comments: 0, version: 1, liked: false },
  parent: { likes: 0, replies: left, version: 1, liked: false },
})
const shown = (client: QueryClient, key: typeof threads | typeof replies) =>
  commentsIn(defined(client.getQueryData<{ pages: ReturnType<typeof page>[] }>(key)?.pages)).map(
    (it) => `${it.id} ${it.body.is} ${it.replies}`,
  )

test('a written comment is first below its post, once, and in no other list', () => {
  const client = read()
  insertComment(client, comment('c'))
  insertComment(client, comment('c'))
  expect(shown(client, threads)).toEqual(['c shown 0', 'b shown 0', 'a shown 1'])
  expect(shown(client, threadsQuery('other', undefined).queryKey)).toEqual([])
})

test('a reply is last below its comment, which has the number of replies of the server', () => {
  const client = read()
  insertComment(client, comment('s', 'a'))
  applyEffects(client, comment('s', 'a'), after(2))
  expect(shown(client, replies)).toEqual(['r shown 0', 's shown 0'])
  expect(shown(client, threads)).toEqual(['b shown 0', 'a shown 2'])
})

test('a deleted comment with replies stays as deleted, one without is removed', () => {
  const client = read()
  removeComment(client, comment('a', null, 1))
  removeComment(client, comment('b'))
  expect(shown(client, threads)).toEqual(['a deleted 1'])
  removeComment(client, comment('r', 'a'))
  applyEffects(client, comment('r', 'a'), after(0))
  expect(shown(client, threads)).toEqual(['a deleted 0'])
})

test('a like changes its comment alone', () => {
  const client = read()
  applyReactions(client, 'r', { liked: true, likes: 1, replies: 0, version: 1 })
  const [data] = commentsIn(
    defined(client.getQueryData<{ pages: ReturnType<typeof page>[] }>(replies)?.pages),
  )
  expect(data?.body).toMatchObject({ liked: true, likes: 1 })
})
