// CreatorSkeleton: the placeholder of the creator's pages.
import { text } from '#src/domain/text/text.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

export function CreatorSkeleton() {
  return (
    <output aria-label={text.loading} className="block px-4 py-5 rail:px-6">
      <Skeleton className="h-4 w-24" />
      <span className="mt-3 flex gap-2">
        {[0, 1, 2].map((n) => (
          <Skeleton key={n} className="h-11 w-20 rounded-pill" />
        ))}
      </span>
      <span className="mt-8 grid grid-cols-2 gap-x-4 gap-y-8 wide:grid-cols-3">
        {[0, 1, 2, 3, 4, 5].map((n) => (
          <span key={n} className="block">
            <Skeleton className="h-3.5 w-20" />
            <Skeleton className="mt-2 h-6 w-16" />
          </span>
        ))}
      </span>
      <Skeleton className="mt-8 h-40 w-full" />
    </output>
  )
}
