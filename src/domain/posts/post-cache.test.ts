// One post, wherever it was read.
import { QueryClient } from '@tanstack/react-query'
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
const alone = ['getPost', 'one', { params: { post_id: 'a' } }]
const feed = ['listPosts', 'pages', {}]
const other = ['other', 'one', {}]

function filled(): QueryClient {
  const client = new QueryClient()
  client.setQueryData(alone, post('a'))
  client.setQueryData(feed, { pages: [{ posts: [post('b'), post('a')], next: null }], pageParams: [null] })
  client.setQueryData(other, { posts: [post('b')] })
  return client
}

test('a change is seen in every list and on the page, and leaves all else as it is', () => {
  const client = filled()
  const before = client.getQueryData(other)
  changePostIn(client, 'a', (it) => ({ ...it, counts: { ...it.counts, likes: 7 } }))
  expect(client.getQueryData<PostView>(alone)?.counts.likes).toBe(7)
  expect(client.getQueryData(feed)).toMatchObject({
    pages: [{ posts: [{ counts: { likes: 0 } }, { counts: { likes: 7 } }] }],
  })
  expect(client.getQueryData(other)).toBe(before)
})

test('a post that is gone leaves its lists and its page', () => {
  const client = filled()
  dropPostIn(client, 'a')
  expect(client.getQueryData(alone)).toBeUndefined()
  expect(client.getQueryData(feed)).toMatchObject({ pages: [{ posts: [{ id: 'b' }] }] })
})

/** Sends a request that is answered not_found. */
async function askInVain(client: QueryClient, queryKey: readonly unknown[], code: 'not_found' | 'offline') {
  const queryFn = () => Promise.reject(new ApiFailure(code, code === 'offline' ? 0 : 404))
  await client.fetchQuery({ queryKey, queryFn, retry: false }).catch(() => undefined)
}

const idsIn = (client: QueryClient) =>
  client.getQueryData<{ pages: { posts: PostView[] }[] }>(feed)?.pages[0]?.posts.map((it) => it.id)

test('a post that is not there when it is asked for leaves the lists of before', async () => {
  const client = filled()
  dropMissing(client)
  const asked = [getPost.name, 'one', { params: { post_id: 'a' } }]
  await askInVain(client, asked, 'offline')
  expect(idsIn(client)).toEqual(['b', 'a'])
  await askInVain(client, asked, 'not_found')
  expect(idsIn(client)).toEqual(['b'])
})

test('so does everything of a person who is not there', async () => {
  const client = filled()
  dropMissing(client)
  await askInVain(client, [getProfile.name, 'one', { params: { user_id: 'y' } }], 'not_found')
  expect(idsIn(client)).toEqual(['b', 'a'])
  await askInVain(client, [getProfile.name, 'one', { params: { user_id: 'x' } }], 'not_found')
  expect(idsIn(client)).toEqual([])
})
