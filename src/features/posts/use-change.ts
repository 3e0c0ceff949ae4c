// useChange: changes an own post from a sheet, which closes after the server's reply.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf } from '#contract/endpoint.ts'
import { changePost } from '#contract/posts/own-posts.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { changePostIn } from '#src/domain/posts/post-cache.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { postText as words } from './text.ts'
import { useStillShown } from '#src/lib/use-still-shown.ts'
import { toast } from '#src/ui/overlays/toast.ts'

/**
 * @param done called after the change
 * @param sentenceOf returns the sheet's own sentence about a refusal, if any
 */
export function useChange(
  postId: string,
  done: () => void,
  sentenceOf: (failure: ApiFailure) => string | undefined,
) {
  const queryClient = useQueryClient()
  const stillShown = useStillShown()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function change(body: BodyOf<typeof changePost>) {
    setBusy(true)
    setProblem(undefined)
    try {
      const post = await call(changePost, { params: { post_id: postId }, body })
      changePostIn(queryClient, postId, () => post)
      done()
      toast(words.saved, 'success')
    } catch (error) {
      const failure = error instanceof ApiFailure ? error : undefined
      const sentence = (failure && sentenceOf(failure)) ?? errorText[failure?.code ?? 'internal']
      if (stillShown()) setProblem(sentence)
      // The author left the page, but must learn that the change failed.
      else toast(`${words.notSaved}${sentence}`, 'error')
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, setProblem, change }
}
