// ProfileSkeleton: the placeholder of a profile that is being loaded.
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { text } from '#src/domain/text/text.ts'

export function ProfileSkeleton() {
  return (
    <output aria-label={text.loading} className="block border-b border-line">
      <Skeleton className="aspect-3/1 w-full rounded-none" />
      <div className="flex flex-col gap-3 px-4 pb-5 rail:px-6">
        <Skeleton className="relative -mt-11 box-content size-22 rounded-pill border-4 border-paper" />
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-4 w-64" />
      </div>
    </output>
  )
}
