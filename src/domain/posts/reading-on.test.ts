// Further pages of a list: a late reply does not undo newer data or mutations.
import { type InfiniteData, InfiniteQueryObserver, type QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { listFeed } from '#contract/posts/feed.ts'
import { newId } from '#contract/ids.ts'
import type { PostView } from '#contract/posts/posts.ts'
import type { FeedPage } from './feeds.ts'
import { changeData, createQueryClient, pagesFor, putNewer, readOn } from '#src/domain/queries/query.ts'

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

/** A displayed list with its first page, and a server that replies when the test tells it to. */
async function shownList() {
  const asked: { first: boolean; answer: (it: FeedPage) => void }[] = []
  const fetch = vi.fn<(url: string) => Promise<Response>>(
    (url) =>
      new Promise<Response>((done) => {
        asked.push({ first: !url.includes('cursor'), answer: (it) => done(Response.json(it)) })
      }),
  )
  vi.stubGlobal('fetch', fetch)
  const client = createQueryClient()
  const list = new InfiniteQueryObserver(client, latest)
  const leave = list.subscribe(() => undefined)
  const question = (n: number) => vi.waitUntil(() => asked[n])
  ;(await question(0)).answer(page(old, '1'))
  await vi.waitFor(() => expect(list.getCurrentResult().isSuccess).toBe(true))
  return { client, list: () => list.getCurrentResult(), asked, question, leave }
}
const idsOf = ({ data }: { data: unknown }) =>
  (data as InfiniteData<FeedPage>).pages.flatMap((it) => it.posts.map(({ id }) => id))
const change = (client: QueryClient, how: (it: PostView) => PostView, relative = false) =>
  changeData<InfiniteData<FeedPage>>(
    client,
    { queryKey: latest.queryKey },
    (data) => ({ ...data, pages: data.pages.map((it) => ({ ...it, posts: it.posts.map(how) })) }),
    { relative },
  )
const firstPost = ({ data }: { data: unknown }) => (data as InfiniteData<FeedPage>).pages[0]?.posts[0]

test('the next page comes after the newer first one that is on its way, and does not throw it away', async () => {
  const { list, asked, question, leave } = await shownList()
  void list().refetch()
  const first = await question(1)
  const more = readOn(list())
  first.answer(page(fresh, '1'))
  const second = await question(2)
  second.answer(page(further, null))
  await more
  expect(idsOf(list())).toEqual([fresh, further])
  expect(asked.map((it) => it.first)).toEqual([true, true, false])
  leave()
})

test.each([
  ['the next page', 'more', false, { liked: true, counts: { comments: 0 } }],
  ['the next page, which adds to what was there,', 'more', true, { liked: false, counts: { comments: 1 } }],
  [
    'the list read anew, which was asked for before,',
    'again',
    false,
    { liked: true, counts: { comments: 0 } },
  ],
] as const)('an act stands after %s has come', async (_, how, relative, end) => {
  const { client, list, question, leave } = await shownList()
  const reading = how === 'more' ? readOn(list()) : list().refetch()
  const asked = await question(1)
  change(
    client,
    (it) =>
      relative
        ? { ...it, counts: { ...it.counts, comments: it.counts.comments + 1 } }
        : it.id === old
          ? { ...it, liked: true }
          : it,
    relative,
  )
  asked.answer(how === 'more' ? { ...page(further, null), posts: [] } : page(old, null))
  await reading
  expect(firstPost(list())).toMatchObject(end)
  // The next read is after the mutation: it replaces the data.
  const again = list().refetch()
  ;(await question(2)).answer(page(old, null))
  await again
  expect(firstPost(list())).toMatchObject({ liked: false, counts: { comments: 0 } })
  leave()
})

test('a count is read once more after a list that may or may not have counted it', async () => {
  const { client, list, asked, question, leave } = await shownList()
  const reading = list().refetch()
  const first = await question(1)
  change(client, (it) => ({ ...it, counts: { ...it.counts, comments: it.counts.comments + 1 } }), true)
  first.answer(page(old, null))
  await reading
  const counted = page(old, null)
  ;(await question(2)).answer({
    ...counted,
    posts: counted.posts.map((it) => ({ ...it, counts: { likes: 0, comments: 1 } })),
  })
  await vi.waitFor(() => expect(firstPost(list())).toMatchObject({ counts: { comments: 1 } }))
  expect(asked.map((it) => it.first)).toEqual([true, true, true])
  leave()
})

test('what is put in place of a list is not undone by a page that was on its way', async () => {
  const { client, list, question, leave } = await shownList()
  const more = readOn(list())
  const asked = await question(1)
  await putNewer(client, latest.queryKey, { pages: [page(fresh, null)], pageParams: [null] })
  asked.answer(page(further, null))
  await more.catch(() => undefined)
  expect(idsOf(list())).toEqual([fresh])
  leave()
})
