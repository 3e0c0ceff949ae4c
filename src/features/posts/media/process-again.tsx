// ProcessAgain: the author's button to process a failed file again.
import { useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { listFeed } from '#contract/posts/feed.ts'
import { retryMedia } from '#contract/posts/media.ts'
import { getPost, listPosts } from '#contract/posts/posts.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { processingText } from './processing-text.ts'
import { Button } from '#src/ui/button.tsx'

export function ProcessAgain({ id }: { id: string }) {
  const client = useQueryClient()
  const [state, setState] = useState<'idle' | 'busy' | ApiFailure>('idle')

  async function retry(): Promise<void> {
    setState('busy')
    try {
      await call(retryMedia, { params: { media_id: id } })
      await Promise.all([getPost, listFeed, listPosts].map((it) => client.invalidateQueries(queriesOf(it))))
      setState('idle')
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      setState(error)
    }
  }
  return (
    <>
      <Button
        look="quiet"
        size="small"
        busy={state === 'busy'}
        busyLabel={processingText.requesting}
        icon={<RotateCw aria-hidden size={16} />}
        onClick={() => void retry()}
        className="relative z-1"
      >
        {processingText.again}
      </Button>
      {state instanceof ApiFailure && (
        <span role="alert" className="text-xs">
          {errorText[state.code]}
        </span>
      )}
    </>
  )
}
