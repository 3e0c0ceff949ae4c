// Liking a post or a comment, shown at once and sent by the queue.
import type { Mutation } from '#contract/mutations/mutations.ts'
import type { ShownComment } from '#contract/posts/comments.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { number } from '#src/lib/format.ts'
import { countWith, useOptimisticToggle } from './optimistic-toggle.ts'
import { mutationsText as words } from './text.ts'

/** Properties of a post's `LikeButton`. */
export function usePostLike({ id, author, liked, counts }: PostView) {
  const params = { post_id: id }
  const mutations = { on: { name: 'likePost', params }, off: { name: 'unlikePost', params } } as const
  return useLike(mutations, author.name, liked, counts.likes)
}

/** Properties of a comment's `LikeButton`. */
export function useCommentLike(id: string, { author, liked, likes }: ShownComment) {
  const params = { comment_id: id }
  const mutations = { on: { name: 'likeComment', params }, off: { name: 'unlikeComment', params } } as const
  return useLike(mutations, author.name, liked, likes)
}

function useLike(mutations: { on: Mutation; off: Mutation }, about: string, liked: boolean, likes: number) {
  const { on, waits, set } = useOptimisticToggle(mutations, about, liked)
  const count = countWith(likes, liked, on)
  return {
    on,
    label: count > 0 ? words.likeCount(count) : words.like,
    title: waits ? words.waits[waits] : words.like,
    count: count > 0 ? number(count) : undefined,
    waits: waits ? words.waits[waits] : undefined,
    onPress: () => set(!on),
  }
}
