// Liking a post: seen at once, sent by the device's queue.
import type { PostView } from '#contract/posts/posts.ts'
import { countWith, useOptimisticToggle } from '#src/domain/mutations/optimistic-toggle.ts'

/** The heart of a post. */
export function useLike({ id, author, liked, counts }: PostView) {
  const params = { post_id: id }
  const heart = useOptimisticToggle(
    { on: { name: 'likePost', params }, off: { name: 'unlikePost', params } },
    author.name,
    liked,
  )
  return { ...heart, likes: countWith(counts.likes, liked, heart.on) }
}
