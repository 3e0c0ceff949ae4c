// NotifySkeleton: the placeholder of notifications that are being loaded.
import { text } from '#src/domain/text/text.ts'
import { Skeleton } from '#src/ui/states/skeleton.tsx'

export function NotifySkeleton() {
  return (
    <output aria-label={text.loading} className="block">
      {Array.from({ length: 7 }, (_, n) => (
        <span key={n} className="flex gap-4 border-b border-line px-4 py-3.5 rail:px-6">
          <Skeleton className="size-10 rounded-pill" />
          <span className="flex flex-1 flex-col gap-2 pt-0.5">
            <Skeleton className="h-4 w-60 max-w-full" />
            <Skeleton className="h-3 w-40 max-w-full" />
            <Skeleton className="h-3 w-14" />
          </span>
        </span>
      ))}
    </output>
  )
}
