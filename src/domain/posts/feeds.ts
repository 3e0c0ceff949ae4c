// The feeds, and reading their new posts without reading all pages again.
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
import { pagesFor, replaceData, queryFor } from '#src/domain/queries/query.ts'

/** Poll interval for new posts, ms: 新着 has no live events. */
const POLL_INTERVAL = 60_000

export type FeedPage = ReplyOf<typeof listFeed>
export type FeedPages = InfiniteData<FeedPage>

/** A paged feed. It changes only when the reader requests new posts, so that nothing moves. */
export function feedQuery(kind: FeedKind) {
  return infiniteQueryOptions({
    ...pagesFor(listFeed, { params: { kind }, query: {} }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/**
 * The number of newer posts, polled while the page is visible.
 * @param readAt time of reading the feed's newest page, ms since 1970
 */
export function newerQuery(kind: FeedKind, head: string | null, readAt: number) {
  return queryOptions({
    ...queryFor(countNewer, { params: { kind }, query: head === null ? {} : { than: head } }),
    initialData: { count: 0 },
    initialDataUpdatedAt: readAt,
    staleTime: POLL_INTERVAL,
    gcTime: POLL_INTERVAL,
    refetchInterval: POLL_INTERVAL,
    refetchOnWindowFocus: 'always',
  })
}

/** The cursor of the newest shown post. */
export const headOf = (pages: FeedPages): string | null =>
  pages.pages.find((it) => it.head !== null)?.head ?? null

/**
 * Merges a fresh first page with the earlier pages. If they do not overlap, posts between them are missing, and the
 * fresh page alone remains.
 */
export function withNewest(old: FeedPages, first: FeedPage): FeedPages {
  const fresh = new Set(first.posts.map((it) => it.id))
  const earlier = old.pages.flatMap((page) => page.posts)
  const firstOverlap = first.next === null ? -1 : earlier.findIndex((it) => fresh.has(it.id))
  if (firstOverlap === -1) return { pages: [first], pageParams: [null] }
  const lastOverlap = earlier.findLastIndex((it) => fresh.has(it.id))
  const older = new Set(earlier.slice(lastOverlap + 1).map((it) => it.id))
  const rest = old.pages.map((page) => ({ ...page, posts: page.posts.filter((it) => older.has(it.id)) }))
  // The last page has the cursor of the feed's next one.
  const pages = [first, ...rest.filter((page, i) => page.posts.length > 0 || i === rest.length - 1)]
  return { pages, pageParams: pages.map((_, i) => (i === 0 ? null : (pages[i - 1]?.next ?? null))) }
}

const readFirstPage = (kind: FeedKind) => call(listFeed, { params: { kind }, query: {} })

/** Reads a feed again from its top. The present posts stay until then, and after a failure. */
export async function reloadFeed(client: QueryClient, kind: FeedKind): Promise<void> {
  const first = await readFirstPage(kind)
  await replaceData<FeedPages>(client, feedQuery(kind).queryKey, { pages: [first], pageParams: [null] })
}

/** Adds new posts on top of each feed that was read. A failed one is read again at its next display. */
export async function addNewest(client: QueryClient): Promise<void> {
  await Promise.all(
    feedKinds.map(async (kind) => {
      const query = feedQuery(kind)
      if (!client.getQueryData(query.queryKey)) return
      try {
        const first = await readFirstPage(kind)
        await replaceData<FeedPages>(client, query.queryKey, (old) => old && withNewest(old, first))
      } catch {
        await client.invalidateQueries({ queryKey: query.queryKey, refetchType: 'none' })
      }
    }),
  )
}
