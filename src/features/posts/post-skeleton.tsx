// PostSkeleton: the placeholder of posts that are being loaded.
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { text } from '#src/domain/text/text.ts'

export function PostSkeleton({ count = 1 }: { count?: number }) {
  return (
    <output aria-label={text.loading} className="block">
      {Array.from({ length: count }, (_, i) => (
        <div key={i} className="flex flex-col gap-3 border-b border-line py-4 rail:py-6">
          <div className="flex items-center gap-3 px-4 rail:px-6">
            <Skeleton className="size-10 rounded-pill" />
            <div className="flex flex-1 flex-col gap-2">
              <Skeleton className="h-3.5 w-28" />
              <Skeleton className="h-3 w-16" />
            </div>
          </div>
          <div className="flex flex-col gap-2.5 px-4 rail:px-6">
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-2/3" />
          </div>
          <div className="rail:px-6">
            <Skeleton className="aspect-4/3 w-full rounded-none rail:rounded-media" />
          </div>
        </div>
      ))}
    </output>
  )
}
