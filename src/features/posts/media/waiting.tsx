// Waiting: placeholder of media in processing, or failed, with the reason for the author.
import { ImageOff } from 'lucide-react'
import { maySucceed, type MediaView } from '#contract/posts/media.ts'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { ProcessAgain } from './process-again.tsx'
import { text } from '#src/domain/text/text.ts'
import { failureText, processingText } from './processing-text.ts'

interface WaitingProps {
  state: 'processing' | 'failed'
  /** The failed media, if known. */
  of?: Pick<MediaView, 'id' | 'kind' | 'failure' | 'newer_maker'>
}

export function Waiting({ state, of }: WaitingProps) {
  const failed = state === 'failed'
  return (
    <output className="flex aspect-video w-full flex-col items-center justify-center gap-3 bg-sunk px-4 text-center text-soft">
      {failed ? <ImageOff aria-hidden size={28} /> : <Spinner size={28} />}
      <p className="text-sm">{failed ? text.posts.mediaFailed : text.posts.processing}</p>
      {!failed && <p className="-mt-2 text-xs">{text.posts.processingHint}</p>}
      {failed && of?.failure && (
        <>
          <p className="-mt-2 max-w-prose text-xs text-balance">
            {failureText(of.kind, of.failure)}
            {of.newer_maker && !maySucceed({ failure: of.failure }) && processingText.newer}
          </p>
          {maySucceed({ ...of, failure: of.failure }) && <ProcessAgain id={of.id} />}
        </>
      )}
    </output>
  )
}
