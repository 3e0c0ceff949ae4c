// Deletes a comment.
import { useQueryClient } from '@tanstack/react-query'
import type { CommentView } from '#contract/posts/comments.ts'
import { deleteComment } from '#contract/posts/comments.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { commentsText as words } from './text.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { applyEffects, removeComment } from '#src/domain/posts/comment-cache.ts'

const sentenceOf = (error: unknown) => errorText[error instanceof ApiFailure ? error.code : 'internal']

/** Deletes a comment and shows the result. */
export function useDelete(): (comment: CommentView) => Promise<void> {
  const queryClient = useQueryClient()
  return async (comment) => {
    let effects = {}
    try {
      effects = (await call(deleteComment, { params: { comment_id: comment.id } })).data
    } catch (error) {
      // Its author or the post is gone meanwhile.
      if (!(error instanceof ApiFailure && error.code === 'not_found'))
        return toast(sentenceOf(error), 'error')
    }
    removeComment(queryClient, comment)
    applyEffects(queryClient, comment, effects)
    toast(words.removed, 'success')
  }
}
