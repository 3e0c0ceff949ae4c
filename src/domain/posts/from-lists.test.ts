// Finds posts and people inside the replies of lists.
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { personInQueryCache, seedPost } from './from-lists.ts'
import { personAmong, postAmong, postsByAmong } from '#src/domain/offline/listed.ts'
import { visibilityChanged } from '#src/domain/api/visibility.ts'

let client = new QueryClient()
vi.mock('#src/domain/queries/lazy-query-cache.ts', () => ({
  loadQueryCache: async () => ({ queryClient: client }),
}))
vi.mock('#src/domain/offline/response-cache.ts', () => ({
  readCachedOne: async () => undefined,
  readCachedMentions: async () => [],
}))
beforeEach(() => {
  client = new QueryClient()
})

const author = { id: newId(), name: '灯り', handle: null, avatar_url: null }
const relation = { following: false, followed_by: false, muted: false, blocked: false }
const post = (id: string, content: string, at = '2026-03-05T03:30:00.000Z'): PostView => ({
  id,
  author,
  type: 1,
  is_age_limited: false,
  created_at: at,
  released_at: at,
  edited_at: null,
  counts: { likes: 0, comments: 0 },
  liked: false,
  access: { is: 'full', content, mentions: [], media: [] },
})
const list = (...posts: PostView[]) => ({ pages: [{ posts, next: null }], pageParams: [null] })
const id = newId()
const own = ['getPost', 'one', { params: { post_id: id } }] as const
const contentOf = (it: unknown) => (it as { access?: { content?: string } } | undefined)?.access?.content

test('the latest copy of a post is taken, and a person’s posts come newest first, each once', () => {
  const [older, newer] = [post(id, '前'), post(id, '後')]
  const other = post(newId(), '別', '2026-03-06T03:30:00.000Z')
  const readings = [
    { value: list(newer), at: 2 },
    { value: list(older, other), at: 1 },
  ]
  expect(postAmong(readings, id)).toEqual({ post: newer, at: 2 })
  expect(postAmong(readings, newId())).toBeUndefined()
  expect(postsByAmong(readings, author.id)).toEqual([other, newer])
})

test('the list with most fields of a person is used, and a blocked person is not found', () => {
  const listed = { ...author, bio: '夜の灯り', relation }
  const notification = { people: [author], others: 0 }
  const among = (...values: unknown[]) =>
    personAmong(
      values.map((value) => ({ value, at: 1 })),
      author.id,
    )
  expect(among({ notifications: [notification] })).toEqual(author)
  expect(among({ notifications: [notification] }, { people: [listed] })).toEqual(listed)
  expect(among({ people: [{ ...listed, relation: { ...relation, blocked: true } }] })).toBeUndefined()
  expect(among({ people: [] })).toBeUndefined()
})

test('a post of a list is seeded with the age of the list, and a post that was read itself stays', async () => {
  // After the last block, which an earlier test in this process may have made.
  const at = Date.now()
  client.setQueryData(['listFeed', 'pages', {}], list(post(id, '一覧')), { updatedAt: at })
  await seedPost(id)
  expect(contentOf(client.getQueryData(own))).toBe('一覧')
  expect(client.getQueryState(own)?.dataUpdatedAt).toBe(at)
  client.setQueryData(own, post(id, '自身'))
  await seedPost(id)
  expect(contentOf(client.getQueryData(own))).toBe('自身')
})

test('lists from before a block, and lists of other endpoints, are not used', async () => {
  client.setQueryData(['listFeed', 'pages', {}], list(post(id, '一覧')), { updatedAt: Date.now() - 1 })
  client.setQueryData(['listBlocks', 'pages', {}], { people: [{ ...author, bio: '', relation }] })
  expect((await personInQueryCache(author.id)).person).toEqual(author)
  visibilityChanged()
  await seedPost(id)
  expect(client.getQueryData(own)).toBeUndefined()
  expect(await personInQueryCache(author.id)).toEqual({ person: undefined, posts: [] })
})
