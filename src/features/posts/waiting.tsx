// Waiting: a calm place for media the server is still making ready, or could not.
import { ImageOff } from 'lucide-react'
import { Spinner } from '#src/ui/spinner.tsx'
import { text } from '#src/lib/text.ts'

export function Waiting({ state }: { state: 'processing' | 'failed' }) {
  const failed = state === 'failed'
  return (
    <output className="flex aspect-video w-full flex-col items-center justify-center gap-3 bg-sunk px-4 text-center text-soft">
      {failed ? <ImageOff aria-hidden size={28} /> : <Spinner size={28} />}
      <p className="text-sm">{failed ? text.posts.mediaFailed : text.posts.processing}</p>
      {!failed && <p className="-mt-2 text-xs">{text.posts.processingHint}</p>}
    </output>
  )
}
