// Changes a post in every list of the query cache.
import type { QueryClient } from '@tanstack/react-query'
import { getProfile } from '#contract/people/people.ts'
import { getPost, type PostView } from '#contract/posts/posts.ts'
import type { CallInput } from '#contract/client.ts'
import { queryEventOf } from '#src/lib/query-internals.ts'
import { isMissing } from '#src/domain/api/api.ts'
import { changeData, queryFor } from '#src/domain/queries/query.ts'

type Change = (post: PostView) => PostView | undefined

/** Changes a post in every query; `undefined` removes it from lists. */
export function changePostIn(queryClient: QueryClient, id: string, change: Change): void {
  changePosts(queryClient, (post) => (post.id === id ? change(post) : post))
}

/** Replaces the number of a post's comments by one of the server. */
export function setComments(queryClient: QueryClient, id: string, comments: number): void {
  const counted: Change = (post) =>
    post.id === id && post.counts.comments !== comments
      ? { ...post, counts: { ...post.counts, comments } }
      : post
  changeData<unknown>(queryClient, {}, (data) => changed(data, counted), { isCount: true })
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
