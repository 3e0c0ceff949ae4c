// BroadcastSkeleton: the placeholder of a list of broadcasts.
import { text } from '#src/domain/text/text.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

export function BroadcastSkeleton() {
  return (
    <output aria-label={text.loading} className="block">
      {Array.from({ length: 3 }, (_, n) => (
        <span key={n} className="flex flex-col gap-2.5 border-b border-line px-4 py-4 rail:px-6">
          <Skeleton className="h-5 w-48 max-w-full" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-40" />
        </span>
      ))}
    </output>
  )
}
