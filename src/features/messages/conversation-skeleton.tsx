// ConversationSkeleton: the placeholder of conversations that are being loaded.
import { text } from '#src/domain/text/text.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

export function ConversationSkeleton() {
  return (
    <output aria-label={text.loading} className="block">
      {Array.from({ length: 7 }, (_, n) => (
        <span key={n} className="flex items-center gap-3 border-b border-line px-4 py-3 rail:px-6">
          <Skeleton className="size-12 rounded-pill" />
          <span className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-32" />
            <Skeleton className="h-3.5 w-56 max-w-full" />
          </span>
        </span>
      ))}
    </output>
  )
}

export function ThreadSkeleton() {
  return (
    <output aria-label={text.loading} className="flex flex-col gap-3 px-4 py-6 rail:px-6">
      {['w-44', 'w-60 self-end', 'w-52', 'w-36 self-end', 'w-64'].map((it) => (
        <Skeleton key={it} className={`h-11 max-w-full rounded-[18px] ${it}`} />
      ))}
    </output>
  )
}
