// Queries of posts, which poll while the server processes media.
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ImageView, MediaView } from '#contract/posts/media.ts'
import { getPost, type PostView } from '#contract/posts/posts.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { isLive } from '#src/domain/realtime/realtime.ts'

/** Polling interval while a post's media are processed, ms: long while live events arrive. */
const pollInterval = () => (isLive() ? 15_000 : 3000)

/** Whether its buyer may only read it, without reactions and comments. */
export const isReadOnly = ({ access }: PostView): boolean => access.is === 'full' && access.read_only === true

/** Whether the server is processing media of the post. */
export function isProcessing(post: PostView): boolean {
  return post.access.is === 'full' && post.access.media.some((it) => it.state === 'processing')
}

/** The images to show. A failed one is shown to its author, and to others if there is no other. */
export function imagesOf(media: readonly MediaView[]): ImageView[] {
  const images = media.filter((it) => it.kind === 'image')
  const shown = images.filter((it) => it.state !== 'failed' || it.failure !== undefined)
  return shown.length > 0 ? shown : images.slice(0, 1)
}

/** One post, read at every display, since it may have been changed, closed, deleted or blocked. */
export function postQuery(id: string) {
  return queryOptions({
    ...queryFor(getPost, { params: { post_id: id } }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (state.data && isProcessing(state.data) ? pollInterval() : false),
  })
}

/** The current state of a post in processing, without reading its list again. */
export function useFresh(post: PostView): PostView {
  const { data } = useQuery(postQuery(post.id))
  return data ?? post
}

/** The estimated height of a card until it is measured, CSS pixels. */
export function estimatedHeight({ access }: PostView): number {
  if (access.is === 'preview') return access.blurred_url === null ? 380 : 420
  return access.media.length > 0 ? 480 : 190
}
