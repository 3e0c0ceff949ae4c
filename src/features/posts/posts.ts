// Reading posts: which query, and when to look again because the server is still at work on something.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ImageView, MediaView } from '#contract/media.ts'
import { getPost, type PostView } from '#contract/posts.ts'
import { queryFor } from '#src/lib/query.ts'

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

/** The post as it is now, while the server still makes something of its media. Its list is not read again for that. */
export function useFresh(post: PostView): PostView {
  const waiting = isProcessing(post)
  const { data } = useQuery({ ...postQuery(post.id), enabled: waiting })
  return waiting && data ? data : post
}

/** How tall a card will be, about, CSS pixels: until it was measured, the list goes by this. */
export function roughHeight({ access }: PostView): number {
  if (access.is === 'preview') return access.blurred_url === null ? 380 : 420
  return access.media.length > 0 ? 480 : 190
}
