// Further pages of a list: a late reply does not undo newer data or mutations.
import { type InfiniteData, InfiniteQueryObserver, type QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { listFeed } from '#contract/posts/feed.ts'
import { newId } from '#contract/ids.ts'
import type { PostView } from '#contract/posts/posts.ts'
import type { FeedPage } from './feeds.ts'
import { changeData, createQueryClient, pagesFor, replaceData, fetchMore } from '#src/domain/queries/query.ts'

afterEach(() => vi.unstubAllGlobals())

const latest = pagesFor(listFeed, { params: { kind: 'latest' }, query: {} })
const [old, fresh, further] = [newId(), newId(), newId()]
const page = (id: string, next: string | null): FeedPage => ({
  posts: [
    {
      id,
      author: { id: newId(), name: '蓮', handle: null, avatar_url: null },
      type: 1,
      is_age_limited: false,
      created_at: '2026-03-05T03:30:00.000Z',
      released_at: '2026-03-05T03:30:00.000Z',
      edited_at: null,
      counts: { likes: 0, comments: 0 },
      liked: false,
      access: { is: 'full', content: 'こんにちは', mentions: [], media: [] },
    },
  ],
  next,
  head: 'h',
})

/** A displayed list with its first page, and a server whose replies the test sends. */
async function shownList() {
  const requests: { first: boolean; answer: (it: FeedPage) => void }[] = []
  const fetch = vi.fn<(url: string) => Promise<Response>>(
    (url) =>
      new Promise<Response>((done) => {
        requests.push({ first: !url.includes('cursor'), answer: (it) => done(Response.json(it)) })
      }),
  )
  vi.stubGlobal('fetch', fetch)
  const client = createQueryClient()
  const list = new InfiniteQueryObserver(client, latest)
  const leave = list.subscribe(() => undefined)
  const requestAt = (n: number) => vi.waitUntil(() => requests[n], { timeout: 60_000 })
  ;(await requestAt(0)).answer(page(old, '1'))
  await expect.poll(() => list.getCurrentResult().isSuccess).toBe(true)
  return { client, list: () => list.getCurrentResult(), requests, requestAt, leave }
}
const idsOf = ({ data }: { data: unknown }) =>
  (data as InfiniteData<FeedPage>).pages.flatMap((it) => it.posts.map(({ id }) => id))
const change = (client: QueryClient, how: (it: PostView) => PostView) =>
  changeData<InfiniteData<FeedPage>>(client, { queryKey: latest.queryKey }, (data) => ({
    ...data,
    pages: data.pages.map((it) => ({ ...it, posts: it.posts.map(how) })),
  }))
const firstPost = ({ data }: { data: unknown }) => (data as InfiniteData<FeedPage>).pages[0]?.posts[0]

test('the next page is requested after a running refetch, and does not cancel it', async () => {
  const { list, requests, requestAt, leave } = await shownList()
  void list().refetch()
  const first = await requestAt(1)
  const more = fetchMore(list())
  first.answer(page(fresh, '1'))
  const second = await requestAt(2)
  second.answer(page(further, null))
  await more
  expect(idsOf(list())).toEqual([fresh, further])
  expect(requests.map((it) => it.first)).toEqual([true, true, false])
  leave()
})

test.each([
  ['the next page', 'more'],
  ['the refetched list, which was requested before,', 'again'],
] as const)('a mutation is still shown after %s has arrived', async (_, how) => {
  const { client, list, requestAt, leave } = await shownList()
  const reading = how === 'more' ? fetchMore(list()) : list().refetch()
  const request = await requestAt(1)
  change(client, (it) => (it.id === old ? { ...it, liked: true } : it))
  request.answer(how === 'more' ? { ...page(further, null), posts: [] } : page(old, null))
  await reading
  expect(firstPost(list())).toMatchObject({ liked: true })
  // The next read is after the mutation: it replaces the data.
  const again = list().refetch()
  ;(await requestAt(2)).answer(page(old, null))
  await again
  expect(firstPost(list())).toMatchObject({ liked: false })
  leave()
})

test('a replaced list is not changed by a page that was requested before', async () => {
  const { client, list, requestAt, leave } = await shownList()
  const more = fetchMore(list())
  const request = await requestAt(1)
  await replaceData(client, latest.queryKey, { pages: [page(fresh, null)], pageParams: [null] })
  request.answer(page(further, null))
  await more.catch(() => undefined)
  expect(idsOf(list())).toEqual([fresh])
  leave()
})
