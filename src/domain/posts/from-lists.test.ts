// Posts and people found inside what lists brought.
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { knownHere, seedPost } from './from-lists.ts'
import { personAmong, postAmong, postsByAmong } from '#src/domain/offline/listed.ts'
import { sightChanged } from '#src/domain/api/visibility.ts'

let client = new QueryClient()
vi.mock('#src/domain/queries/lazy-query-cache.ts', () => ({
  loadQueryCache: async () => ({ queryClient: client }),
}))
vi.mock('#src/domain/offline/response-cache.ts', () => ({
  recallOne: async () => undefined,
  recallNaming: async () => [],
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
const own = ['getPost', 'one', { params: { post_id: id } }]
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

test('of a person the list that says most is taken; one who is blocked is not known', () => {
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

test('a post is put where its page looks, as old as its list; one that was read itself stays', async () => {
  // Not before the last block, which a test that ran earlier in this process may have made.
  const at = Date.now()
  client.setQueryData(['listFeed', 'pages', {}], list(post(id, '一覧')), { updatedAt: at })
  await seedPost(id)
  expect(contentOf(client.getQueryData(own))).toBe('一覧')
  expect(client.getQueryState(own)?.dataUpdatedAt).toBe(at)
  client.setQueryData(own, post(id, '自身'))
  await seedPost(id)
  expect(contentOf(client.getQueryData(own))).toBe('自身')
})

test('what was read before a block, and lists of other kinds, are no source', async () => {
  client.setQueryData(['listFeed', 'pages', {}], list(post(id, '一覧')), { updatedAt: Date.now() - 1 })
  client.setQueryData(['listBlocks', 'pages', {}], { people: [{ ...author, bio: '', relation }] })
  expect((await knownHere(author.id)).person).toEqual(author)
  sightChanged()
  await seedPost(id)
  expect(client.getQueryData(own)).toBeUndefined()
  expect(await knownHere(author.id)).toEqual({ person: undefined, posts: [] })
})
