// The feeds of this page, and reading their new posts without reading everything again.
import {
  infiniteQueryOptions,
  type InfiniteData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import type { ReplyOf } from '#contract/endpoint.ts'
import { feedKinds, type FeedKind } from '#contract/posts/feed-kinds.ts'
import { countNewer, listFeed } from '#contract/posts/feed.ts'
import { call } from '#src/domain/api/api.ts'
import { pagesFor, putNewer, queryFor } from '#src/domain/queries/query.ts'

/** How often new posts are polled, ms: 新着 has no live events. */
const ASK_EVERY = 60_000

export type FeedPage = ReplyOf<typeof listFeed>
export type FeedPages = InfiniteData<FeedPage>

/** A paged feed. It does not change until the reader asks for new posts: nothing moves on the screen. */
export function feedQuery(kind: FeedKind) {
  return infiniteQueryOptions({
    ...pagesFor(listFeed, { params: { kind }, query: {} }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/**
 * The number of newer posts: polled every minute while the page is visible, and when it becomes visible.
 * @param readAt when the feed's newest page was read, ms since 1970
 */
export function newerQuery(kind: FeedKind, head: string | null, readAt: number) {
  return queryOptions({
    ...queryFor(countNewer, { params: { kind }, query: head === null ? {} : { than: head } }),
    initialData: { count: 0 },
    initialDataUpdatedAt: readAt,
    staleTime: ASK_EVERY,
    gcTime: ASK_EVERY,
    refetchInterval: ASK_EVERY,
    refetchOnWindowFocus: 'always',
  })
}

/** The place of the newest post shown. */
export const headOf = (pages: FeedPages): string | null =>
  pages.pages.find((it) => it.head !== null)?.head ?? null

/**
 * A freshly read first page over what was read before. Where they do not meet, posts between them are missing:
 * then the fresh page alone remains.
 */
export function withNewest(old: FeedPages, first: FeedPage): FeedPages {
  const fresh = new Set(first.posts.map((it) => it.id))
  const known = old.pages.flatMap((page) => page.posts)
  const meets = first.next === null ? -1 : known.findIndex((it) => fresh.has(it.id))
  if (meets === -1) return { pages: [first], pageParams: [null] }
  const last = known.findLastIndex((it) => fresh.has(it.id))
  const older = new Set(known.slice(last + 1).map((it) => it.id))
  const rest = old.pages.map((page) => ({ ...page, posts: page.posts.filter((it) => older.has(it.id)) }))
  // The last page has the cursor of the feed's next one.
  const pages = [first, ...rest.filter((page, i) => page.posts.length > 0 || i === rest.length - 1)]
  return { pages, pageParams: pages.map((_, i) => (i === 0 ? null : (pages[i - 1]?.next ?? null))) }
}

const newest = (kind: FeedKind) => call(listFeed, { params: { kind }, query: {} })

/** Reads a feed again from its top. Until that is done, and if it fails, the present posts stay. */
export async function readAnew(client: QueryClient, kind: FeedKind): Promise<void> {
  const first = await newest(kind)
  await putNewer<FeedPages>(client, feedQuery(kind).queryKey, { pages: [first], pageParams: [null] })
}

/** Puts what is new on top of each feed that was read. One that cannot be read now is read again when it is shown. */
export async function takeNewest(client: QueryClient): Promise<void> {
  await Promise.all(
    feedKinds.map(async (kind) => {
      const query = feedQuery(kind)
      if (!client.getQueryData(query.queryKey)) return
      try {
        const first = await newest(kind)
        await putNewer<FeedPages>(client, query.queryKey, (old) => old && withNewest(old, first))
      } catch {
        await client.invalidateQueries({ queryKey: query.queryKey, refetchType: 'none' })
      }
    }),
  )
}
