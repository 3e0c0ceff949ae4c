// CommentSkeleton: placeholder of comments.
import { text } from '#src/domain/text/text.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

export function CommentSkeleton({ many = 3 }: { many?: number }) {
  return (
    <output aria-label={text.loading} className="block">
      {Array.from({ length: many }, (_, i) => (
        <span key={i} className="flex gap-3 px-4 py-3 rail:px-6">
          <Skeleton className="size-10 rounded-pill" />
          <span className="flex flex-1 flex-col gap-2 pt-1">
            <Skeleton className="h-3.5 w-28" />
            <Skeleton className="h-3.5 w-4/5" />
          </span>
        </span>
      ))}
    </output>
  )
}
