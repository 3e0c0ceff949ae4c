// What is done with a comment: the heart, and deleting it.
import { useQueryClient } from '@tanstack/react-query'
import type { CommentView, ShownComment } from '#contract/comments.ts'
import { deleteComment } from '#contract/comments.ts'
import { likeComment, unlikeComment } from '#contract/likes.ts'
import { ApiFailure, call } from '#src/lib/api.ts'
import { changePostIn } from '#src/lib/post-cache.ts'
import { settle } from '#src/lib/settle.ts'
import { commentsText as words } from '#src/lib/text-comments.ts'
import { errorText } from '#src/lib/text-errors.ts'
import { toast } from '#src/ui/toast.ts'
import { changeShown, removeComment } from './reading.ts'

const sentenceOf = (error: unknown) => errorText[error instanceof ApiFailure ? error.code : 'internal']

/** As if the server had said so already. */
const asIf = (liked: boolean) => (body: ShownComment) =>
  body.liked === liked ? body : { ...body, liked, likes: Math.max(0, body.likes + (liked ? 1 : -1)) }

/** What presses the heart of a comment. */
export function useLike(id: string): (wanted: boolean) => void {
  const queryClient = useQueryClient()
  return (wanted) => {
    changeShown(queryClient, id, asIf(wanted))
    void settle(`comment ${id}`, wanted, async (it) => {
      const { data } = await call(it ? likeComment : unlikeComment, { params: { comment_id: id } })
      return data
    }).then((end) => {
      if (end.is === 'settled') changeShown(queryClient, id, (body) => ({ ...body, ...end.said }))
      if (end.is === 'refused') {
        changeShown(queryClient, id, asIf(end.stands))
        toast(sentenceOf(end.error), 'error')
      }
    })
  }
}

/** Deletes a comment; says what became of it. */
export function useDelete(): (comment: CommentView) => Promise<void> {
  const queryClient = useQueryClient()
  return async (comment) => {
    try {
      await call(deleteComment, { params: { comment_id: comment.id } })
    } catch (error) {
      // Somebody else was faster: it is gone all the same.
      if (!(error instanceof ApiFailure && error.code === 'not_found'))
        return toast(sentenceOf(error), 'error')
    }
    removeComment(queryClient, comment)
    changePostIn(queryClient, comment.post_id, (post) => ({
      ...post,
      counts: { ...post.counts, comments: Math.max(0, post.counts.comments - 1) },
    }))
    toast(words.removed, 'success')
  }
}
