// Changes a post in every list of the query cache.
import type { QueryClient } from '@tanstack/react-query'
import { getProfile } from '#contract/people/people.ts'
import { getPost, type PostView } from '#contract/posts/posts.ts'
import { isLater } from '#contract/count-version.ts'
import type { PostCounts } from '#contract/posts/reactions.ts'
import type { CallInput } from '#contract/client.ts'
import { changeState, queryEventOf } from '#src/lib/query-internals.ts'
import { isMissing } from '#src/domain/api/api.ts'
import { changeData, queryFor } from '#src/domain/queries/query.ts'

type Change = (post: PostView) => PostView | undefined

/** Changes a post in every query; `undefined` removes it from lists. */
export function changePostIn(queryClient: QueryClient, id: string, change: Change): void {
  changePosts(queryClient, (post) => (post.id === id ? change(post) : post))
}

/** Counts of a moment. Earlier servers leave out what has not changed, and the version. */
export type CountsNow = { readonly [name in keyof PostCounts]?: PostCounts[name] | undefined }
/** The latest counts that a live message or the reply to a mutation had, by post. */
const latest = new Map<string, CountsNow>()

const merged = (before: PostCounts, { likes, comments, version }: CountsNow): PostCounts => ({
  likes: likes ?? before.likes,
  comments: comments ?? before.comments,
  version: version ?? before.version,
})

/**
 * Writes the counts of a moment into every copy of a post that is not later.
 * @param liked whether the viewer likes it, at that moment
 */
export function applyCounts(
  queryClient: QueryClient,
  id: string,
  { liked, ...counts }: CountsNow & { readonly liked?: boolean | undefined },
): void {
  if (counts.version !== undefined && isLater(counts, latest.get(id) ?? {})) latest.set(id, counts)
  changePostIn(queryClient, id, (post) =>
    isLater(counts, post.counts)
      ? { ...post, liked: liked ?? post.liked, counts: merged(post.counts, counts) }
      : post,
  )
}

/** Writes later counts into each reply, which may have been read before them or on a replica. */
export function keepLatestCounts(queryClient: QueryClient): void {
  const withLatest: Change = (post) => {
    const counts = latest.get(post.id)
    return counts && !isLater(post.counts, counts) ? { ...post, counts: merged(post.counts, counts) } : post
  }
  queryClient.getQueryCache().subscribe((event) => {
    if (latest.size === 0 || queryEventOf(event)?.is !== 'fetched') return
    const data: unknown = changed(event.query.state.data, withLatest)
    if (data !== event.query.state.data) changeState(event.query, { data })
  })
}

function changePosts(queryClient: QueryClient, change: Change): void {
  changeData<unknown>(queryClient, {}, (data) => changed(data, change))
}

/** Removes a post from every list and both caches. */
export function dropPostIn(queryClient: QueryClient, id: string): void {
  changePostIn(queryClient, id, () => undefined)
  const { queryKey } = queryFor(getPost, { params: { post_id: id } })
  queryClient.removeQueries({ queryKey })
  void import('#src/domain/offline/response-cache.ts').then(({ evict }) => evict(queryKey))
}

/**
 * Removes missing posts and people from all cached lists after a `not_found`, so that a block or a deletion applies
 * everywhere.
 */
export function dropMissing(queryClient: QueryClient): void {
  queryClient.getQueryCache().subscribe((event) => {
    const it = queryEventOf(event)
    if (it?.is !== 'failed' || !isMissing(it.error)) return
    const [name, , args] = event.query.queryKey as readonly unknown[]
    if (name === getPost.name) {
      const { params } = args as CallInput<typeof getPost>
      changePostIn(queryClient, params.post_id, () => undefined)
    }
    if (name === getProfile.name) {
      const { params } = args as CallInput<typeof getProfile>
      changePosts(queryClient, (post) => (post.author.id === params.user_id ? undefined : post))
    }
  })
}

interface List {
  posts: PostView[]
}
interface Pages {
  pages: unknown[]
}

const has = <T extends object>(data: unknown, name: keyof T): data is T =>
  typeof data === 'object' && data !== null && name in data

function changed(data: unknown, change: Change): unknown {
  if (has<Pages>(data, 'pages') && Array.isArray(data.pages)) {
    const pages = data.pages.map((page) => changed(page, change))
    return pages.some((page, i) => page !== data.pages[i]) ? { ...data, pages } : data
  }
  if (has<List>(data, 'posts') && Array.isArray(data.posts)) {
    const posts = data.posts.flatMap((post) => change(post) ?? [])
    const same = posts.length === data.posts.length && posts.every((post, i) => post === data.posts[i])
    return same ? data : { ...data, posts }
  }
  // Only a post by itself has both properties.
  if (has<PostView>(data, 'access') && has<PostView>(data, 'counts')) return change(data) ?? data
  return data
}
