// Reading posts: which query, and when to look again because the server is still at work on something.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ImageView, MediaView } from '#contract/posts/media.ts'
import { getPost, type PostView } from '#contract/posts/posts.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { isLive } from '#src/domain/realtime/realtime.ts'

/** Polling interval while a post's media are processed, ms: long while live events arrive. */
const lookAgain = () => (isLive() ? 15_000 : 3000)

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

/** One post: read again at every look, since by now it may be changed, closed, deleted, or behind a block. */
export function postQuery(id: string) {
  return queryOptions({
    ...queryFor(getPost, { params: { post_id: id } }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (state.data && isProcessing(state.data) ? lookAgain() : false),
  })
}

/** A post the server still makes something of, as it is now. Its list is not read again for that. */
export function useFresh(post: PostView): PostView {
  const { data } = useQuery(postQuery(post.id))
  return data ?? post
}

/** How tall a card will be, about, CSS pixels: until it was measured, the list goes by this. */
export function roughHeight({ access }: PostView): number {
  if (access.is === 'preview') return access.blurred_url === null ? 380 : 420
  return access.media.length > 0 ? 480 : 190
}
