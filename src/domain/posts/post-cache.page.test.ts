// Changes a post in every cached list and on its own page.
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { getPost, type PostView } from '#contract/posts/posts.ts'
import { getProfile } from '#contract/people/people.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { changePostIn, dropMissing, dropPostIn } from './post-cache.ts'

const post = (id: string, likes = 0): PostView => ({
  id,
  author: { id: 'x', name: 'x', handle: null, avatar_url: null },
  type: 1,
  is_age_limited: false,
  created_at: '',
  released_at: '',
  edited_at: null,
  counts: { likes, comments: 0 },
  liked: false,
  access: { is: 'full', content: '', mentions: [], media: [] },
})
const alone = ['getPost', 'one', { params: { post_id: 'a' } }] as const
const feed = ['listPosts', 'pages', {}] as const
const other = ['getOperator', 'one', {}] as const

function filled(): QueryClient {
  const client = new QueryClient()
  client.setQueryData(alone, post('a'))
  client.setQueryData(feed, { pages: [{ posts: [post('b'), post('a')], next: null }], pageParams: [null] })
  client.setQueryData(other, { posts: [post('b')] })
  return client
}

test('a change applies to every list and the post’s page, and to nothing else', () => {
  const client = filled()
  const before = client.getQueryData(other)
  changePostIn(client, 'a', (it) => ({ ...it, counts: { ...it.counts, likes: 7 } }))
  expect(client.getQueryData<PostView>(alone)?.counts.likes).toBe(7)
  expect(client.getQueryData(feed)).toMatchObject({
    pages: [{ posts: [{ counts: { likes: 0 } }, { counts: { likes: 7 } }] }],
  })
  expect(client.getQueryData(other)).toBe(before)
})

test('a deleted post is removed from its lists and its page', () => {
  const client = filled()
  dropPostIn(client, 'a')
  expect(client.getQueryData(alone)).toBeUndefined()
  expect(client.getQueryData(feed)).toMatchObject({ pages: [{ posts: [{ id: 'b' }] }] })
})

/** Sends a request that fails with a code. */
async function requestFailing(client: QueryClient, queryKey: QueryKey, code: 'not_found' | 'offline') {
  const queryFn = () => Promise.reject(new ApiFailure(code, code === 'offline' ? 0 : 404))
  await client.fetchQuery({ queryKey, queryFn, retry: false }).catch(() => undefined)
}

const idsIn = (client: QueryClient) =>
  client.getQueryData<{ pages: { posts: PostView[] }[] }>(feed)?.pages[0]?.posts.map((it) => it.id)

test('a post that is missing when it is requested is removed from cached lists', async () => {
  const client = filled()
  dropMissing(client)
  const queryKey = [getPost.name, 'one', { params: { post_id: 'a' } }] as const
  await requestFailing(client, queryKey, 'offline')
  expect(idsIn(client)).toEqual(['b', 'a'])
  await requestFailing(client, queryKey, 'not_found')
  expect(idsIn(client)).toEqual(['b'])
})

test('all posts of a missing person are removed from cached lists', async () => {
  const client = filled()
  dropMissing(client)
  await requestFailing(client, [getProfile.name, 'one', { params: { user_id: 'y' } }], 'not_found')
  expect(idsIn(client)).toEqual(['b', 'a'])
  await requestFailing(client, [getProfile.name, 'one', { params: { user_id: 'x' } }], 'not_found')
  expect(idsIn(client)).toEqual([])
})
