// Reading posts: which query, and when to look again because the server is still at work on something.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ImageView, MediaView } from '#contract/media.ts'
import { getPost, listPosts, type PostView } from '#contract/posts.ts'
import { pagesFor, queryFor } from '#src/lib/query.ts'

/** While a post's media are being made ready, it is read again this often, ms. */
const LOOK_AGAIN = 3000

/** Whether the server is still making something of the post's media. */
export function isProcessing(post: PostView): boolean {
  return post.access.is === 'full' && post.access.media.some((it) => it.state === 'processing')
}

/** The images to show: one that failed is its author's to see, unless there is nothing else. */
export function imagesOf(media: readonly MediaView[]): ImageView[] {
  const images = media.filter((it) => it.kind === 'image')
  const shown = images.filter((it) => it.state !== 'failed' || it.failure !== undefined)
  return shown.length > 0 ? shown : images.slice(0, 1)
}

/** One post. */
export function postQuery(id: string) {
  return queryOptions({
    ...queryFor(getPost, { params: { post_id: id } }),
    refetchInterval: ({ state }) => (state.data && isProcessing(state.data) ? LOOK_AGAIN : false),
  })
}

/** Newest posts first, of everybody or of one author. */
export function feedQuery(author?: string) {
  return infiniteQueryOptions({
    ...pagesFor(listPosts, { query: author === undefined ? {} : { author } }),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.posts.some(isProcessing)) ? LOOK_AGAIN : false,
  })
}
