// PlansSkeleton: the placeholder of a list of plans.
import { text } from '#src/domain/text/text.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

export function PlansSkeleton() {
  return (
    <output aria-label={text.loading} className="block">
      {Array.from({ length: 4 }, (_, n) => (
        <span key={n} className="flex min-h-24 items-center gap-4 border-b border-line px-4 py-3 rail:px-6">
          <Skeleton className="aspect-video w-28 rounded-field" />
          <span className="flex-1">
            <Skeleton className="h-4 w-40 max-w-full" />
            <Skeleton className="mt-2 h-3.5 w-24" />
          </span>
        </span>
      ))}
    </output>
  )
}
