// Liking a post: seen at once everywhere it stands, sent in the background, taken back when it is refused.
import { useQueryClient } from '@tanstack/react-query'
import { likePost, unlikePost } from '#contract/likes.ts'
import type { PostView } from '#contract/posts.ts'
import { ApiFailure, call } from '#src/lib/api.ts'
import { changePostIn } from '#src/lib/post-cache.ts'
import { settle } from '#src/lib/settle.ts'
import { errorText } from '#src/lib/text-errors.ts'
import { toast } from '#src/ui/toast.ts'

/** As if the server had said so already. */
const asIf = (liked: boolean) => (post: PostView) =>
  post.liked === liked
    ? post
    : { ...post, liked, counts: { ...post.counts, likes: Math.max(0, post.counts.likes + (liked ? 1 : -1)) } }

/** What presses the heart of a post. */
export function useLike(id: string): (wanted: boolean) => void {
  const queryClient = useQueryClient()
  return (wanted) => {
    changePostIn(queryClient, id, asIf(wanted))
    void settle(`post ${id}`, wanted, async (it) => {
      const { data } = await call(it ? likePost : unlikePost, { params: { post_id: id } })
      return data
    }).then((end) => {
      if (end.is === 'settled') {
        const { liked, likes } = end.said
        changePostIn(queryClient, id, (post) => ({ ...post, liked, counts: { ...post.counts, likes } }))
      }
      if (end.is === 'refused') {
        changePostIn(queryClient, id, asIf(end.stands))
        toast(errorText[end.error instanceof ApiFailure ? end.error.code : 'internal'], 'error')
      }
    })
  }
}
