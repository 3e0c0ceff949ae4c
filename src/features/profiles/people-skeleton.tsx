// PeopleSkeleton: the placeholder of a list of people.
import { text } from '#src/domain/text/text.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

export function PeopleSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <output aria-label={text.loading} className="block">
      {Array.from({ length: rows }, (_, n) => (
        <span key={n} className="flex items-center gap-3 border-b border-line px-4 py-3 rail:px-6">
          <Skeleton className="size-12 rounded-pill" />
          <span className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-32" />
            <Skeleton className="h-3 w-48 max-w-full" />
          </span>
          <Skeleton className="h-11 w-28 rounded-pill" />
        </span>
      ))}
    </output>
  )
}
