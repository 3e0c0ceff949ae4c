// Posts in the query cache: one post stands in several lists, and a change is seen in all of them at once.
import type { QueryClient } from '@tanstack/react-query'
import { getPost, type PostView } from '#contract/posts.ts'

type Change = (post: PostView) => PostView | undefined

/** Changes a post wherever it was read; `undefined` takes it out of its lists. */
export function changePostIn(queryClient: QueryClient, id: string, change: Change): void {
  for (const query of queryClient.getQueryCache().getAll()) {
    const before = query.state.data
    const after = changed(before, id, change)
    if (after !== before) queryClient.setQueryData(query.queryKey, after)
  }
}

/** Takes a post out of every list; who opens it again asks the server. */
export function dropPostIn(queryClient: QueryClient, id: string): void {
  changePostIn(queryClient, id, () => undefined)
  queryClient.removeQueries({ queryKey: [getPost.name, 'one', { params: { post_id: id } }] })
}

interface List {
  posts: PostView[]
}
interface Pages {
  pages: unknown[]
}

const has = <T extends object>(data: unknown, name: keyof T): data is T =>
  typeof data === 'object' && data !== null && name in data

function changed(data: unknown, id: string, change: Change): unknown {
  if (has<Pages>(data, 'pages') && Array.isArray(data.pages)) {
    const pages = data.pages.map((page) => changed(page, id, change))
    return pages.some((page, i) => page !== data.pages[i]) ? { ...data, pages } : data
  }
  if (has<List>(data, 'posts') && Array.isArray(data.posts)) {
    if (!data.posts.some((post) => post.id === id)) return data
    return { ...data, posts: data.posts.flatMap((post) => (post.id === id ? (change(post) ?? []) : post)) }
  }
  // One post by itself has both of these; nothing else has.
  if (has<PostView>(data, 'access') && has<PostView>(data, 'counts') && data.id === id)
    return change(data) ?? data
  return data
}
